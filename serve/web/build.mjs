// Builds the page into dist/, which is committed and embedded in the binary.
// Names carry no hash and output no date: the same sources give the same bytes.
import { build, context } from "esbuild";
import { cp, mkdir, readdir, rm } from "node:fs/promises";

const page = {
  entryPoints: ["src/app.ts", "src/theme.ts", "src/style.css"],
  outdir: "dist",
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome105", "firefox110", "safari16"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

async function copyStatic() {
  for (const name of await readdir("static")) await cp(`static/${name}`, `dist/${name}`);
}

async function tests() {
  const all = (await readdir("src")).filter((name) => name.endsWith(".test.ts"));
  await rm("test-out", { recursive: true, force: true });
  await build({
    entryPoints: all.map((name) => `src/${name}`),
    outdir: "test-out",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
}

const mode = process.argv[2];
if (mode === "--test") {
  await tests();
} else if (mode === "--watch") {
  await copyStatic();
  await (await context(page)).watch();
} else {
  await rm("dist", { recursive: true, force: true });
  await mkdir("dist");
  await build(page);
  await copyStatic();
}

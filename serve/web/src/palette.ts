// Colours of digit values. A digit is a category, not a quantity, so the eight
// hues are far apart, and four lightnesses tell the rest apart for those who
// see hues alike. Every coloured digit also says its value: colour only helps.

interface Lch {
  l: number;
  c: number;
  h: number;
}

// After Okabe and Ito's set for colour-blind readers, as OKLCH. The lightnesses
// were searched for: they keep the least difference between two of the 32, in
// both themes and for both common kinds of colour-blindness, as large as it gets.
const base: Lch[] = [
  { l: 0.45, c: 0.13, h: 258 }, // blue
  { l: 0.51, c: 0.15, h: 69 }, // orange
  { l: 0.49, c: 0.12, h: 159 }, // green
  { l: 0.67, c: 0.13, h: 358 }, // pink
  { l: 0.4, c: 0.17, h: 28 }, // vermilion
  { l: 0.78, c: 0.1, h: 220 }, // sky
  { l: 0.11, c: 0.15, h: 293 }, // violet
  { l: 0.74, c: 0.13, h: 118 }, // olive
];
const shifts = [0, 0.5, 0.25, 0.75];

/** How many values get a colour of their own; later ones start over. */
export const distinct = base.length * shifts.length;

/** The colour of a digit's value, as #rrggbb, to be seen on the theme's ground. */
export function digitColour(value: number, dark: boolean): string {
  const v = value % distinct;
  const { l, c, h } = base[v % base.length];
  const level = (l + shifts[Math.floor(v / base.length)]) % 1;
  const [lo, hi] = dark ? [0.52, 0.88] : [0.4, 0.78];
  return hex(oklch({ l: lo + level * (hi - lo), c, h }));
}

/** Black or white, whichever is read better on that colour. */
export function inkOn(colour: string): "#000000" | "#ffffff" {
  // Both contrasts are equal at this luminance: (1.05)/(Y+.05) = (Y+.05)/.05.
  return luminance(parse(colour)) > 0.179 ? "#000000" : "#ffffff";
}

/** WCAG's contrast between two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(parse(a)), luminance(parse(b))];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

type Rgb = [number, number, number]; // linear light

function oklch({ l, c, h }: Lch): Rgb {
  // Colours outside sRGB lose chroma until they fit: hue and lightness matter more.
  for (let chroma = c; ; chroma -= 0.01) {
    const rgb = oklab(l, chroma * Math.cos((h * Math.PI) / 180), chroma * Math.sin((h * Math.PI) / 180));
    if (chroma <= 0 || rgb.every((x) => x >= -0.0005 && x <= 1.0005)) return rgb;
  }
}

function oklab(l: number, a: number, b: number): Rgb {
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
}

function hex(rgb: Rgb): string {
  return "#" + rgb.map((x) => Math.round(255 * gamma(x)).toString(16).padStart(2, "0")).join("");
}

function gamma(x: number): number {
  const y = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
  return Math.min(1, Math.max(0, y));
}

function parse(colour: string): Rgb {
  const part = (at: number) => {
    const x = parseInt(colour.slice(at, at + 2), 16) / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function luminance([r, g, b]: Rgb): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// The address says what is shown, so that links, back and forward work:
// #/TABLE, #/TABLE/w/WORD or #/TABLE/i/ID for a symbol without a name.

export interface Route {
  table?: string;
  word?: string;
  id?: number;
}

export function parseRoute(hash: string): Route {
  const [table, kind, rest] = hash.replace(/^#?\/?/, "").split("/").map(decode);
  const route: Route = {};
  if (table) route.table = table;
  if (kind === "w" && rest) route.word = rest;
  if (kind === "i" && /^\d+$/.test(rest ?? "")) route.id = Number(rest);
  return route;
}

export function formatRoute({ table, word, id }: Route): string {
  if (!table) return "#/";
  const start = `#/${encode(table)}`;
  if (word !== undefined) return `${start}/w/${encode(word)}`;
  return id === undefined ? start : `${start}/i/${id}`;
}

function encode(part: string): string {
  return encodeURIComponent(part).replace(/%20/g, "+");
}

// A mistyped address must not stop the page.
function decode(part: string): string {
  try {
    return decodeURIComponent(part.replace(/\+/g, "%20"));
  } catch {
    return part;
  }
}

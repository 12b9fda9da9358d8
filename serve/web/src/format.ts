// Numbers for readers.

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function count(n: number): string {
  return grouped.format(n);
}

export function plural(n: number, one: string, many = one + "s"): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** Bytes in the units of kd info: powers of 1,000, two digits where it says something. */
export function bytes(n: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let u = 0;
  while (n >= 999.5 && u < units.length - 1) {
    n /= 1000;
    u++;
  }
  const text = u === 0 || n >= 99.5 ? n.toFixed(0) : n >= 9.95 ? n.toFixed(1) : n.toFixed(2);
  return `${text.includes(".") ? text.replace(/\.?0+$/, "") : text} ${units[u]}`;
}

export function score(x: number): string {
  return x.toFixed(3).replace("-", "−");
}

export function percent(x: number): string {
  return `${(100 * x).toFixed(x >= 0.0995 ? 0 : 1)} %`;
}

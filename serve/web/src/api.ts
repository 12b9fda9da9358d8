// The server's API as /openapi.json describes it. Addresses are relative, so
// that the page also works behind a proxy that adds a path.

export interface TableEntry {
  name: string;
  n: number;
  dim: number;
  ways: number;
  code_length: number;
  has_symbols: boolean;
  has_original: boolean;
}

export interface Table extends TableEntry {
  code_dim: number;
  composition: string;
  dtype: string;
  bits: { codes: number; parameters: number; symbols: number; full: number };
  ratio: number;
  map_size: number;
}

export interface Word {
  id: number;
  symbol?: string;
}

export interface Coded extends Word {
  code: number[];
}

export interface Neighbour extends Word {
  score: number;
}

export type Source = "codes" | "original";
export type Metric = "cosine" | "inner" | "euclidean";

export interface Prefix {
  digits: number[];
  count: number;
  next: number[];
  offset: number;
  symbols: Coded[];
  more: boolean;
}

export interface Usage {
  ways: number;
  digits: { counts: number[]; entropy: number; evenness: number; unused: number }[];
  evenness: number;
}

export interface Completion extends Word {
  symbol: string;
  match: "prefix" | "near";
}

export interface WordMap {
  method: string;
  explained: [number, number];
  ids: number[];
  symbols: string[];
  x: number[];
  y: number[];
  digits: { digit: number; values: number[] }[];
}

/** What went wrong; code is the API's, or "network" where nothing answered. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly suggestions: string[] = [],
  ) {
    super(message);
  }
}

const tokenKey = "kd-token";

export class Api {
  /** askToken is called, once at a time, when the server wants a token. */
  constructor(private askToken: (wrong: boolean) => Promise<string>) {}

  private asking: Promise<string> | null = null;

  async tables(signal?: AbortSignal): Promise<TableEntry[]> {
    return (await this.get<{ tables: TableEntry[] }>("v1/tables", {}, signal)).tables;
  }

  table(name: string, signal?: AbortSignal): Promise<Table> {
    return this.get(path(name), {}, signal);
  }

  code(table: string, word: Asked, signal?: AbortSignal): Promise<Coded> {
    return this.get(path(table, "codes"), asked(word), signal);
  }

  /** The codes of several words; null where the table lacks one. */
  async codes(table: string, wanted: { symbols: string[] } | { ids: number[] }, signal?: AbortSignal) {
    const body = "symbols" in wanted ? { ...wanted, missing: "null" } : wanted;
    const answer = await this.post<{ codes: (Coded | null)[] }>(path(table, "codes"), body, signal);
    return answer.codes;
  }

  async neighbours(table: string, word: Asked, k: number, metric: Metric, source: Source, signal?: AbortSignal) {
    type Answer = { results: { neighbours: Neighbour[] }[] };
    const query = { ...asked(word), k, metric, source };
    return (await this.get<Answer>(path(table, "neighbours"), query, signal)).results[0].neighbours;
  }

  async analogy(table: string, triple: { symbols: string[] } | { ids: number[] }, k: number, source: Source, signal?: AbortSignal) {
    type Answer = { results: { neighbours: Neighbour[] }[] };
    const body = "symbols" in triple ? { symbols: [triple.symbols] } : { ids: [triple.ids] };
    return (await this.post<Answer>(path(table, "analogies"), { ...body, k, source }, signal)).results[0].neighbours;
  }

  prefix(table: string, digits: number[], offset: number, limit: number, signal?: AbortSignal): Promise<Prefix> {
    return this.get(path(table, "prefix"), { digits: digits.join("-"), offset, limit }, signal);
  }

  usage(table: string, signal?: AbortSignal): Promise<Usage> {
    return this.get(path(table, "usage"), {}, signal);
  }

  async complete(table: string, q: string, limit: number, signal?: AbortSignal): Promise<Completion[]> {
    return (await this.get<{ symbols: Completion[] }>(path(table, "complete"), { q, limit }, signal)).symbols;
  }

  map(table: string, digit: number, signal?: AbortSignal): Promise<WordMap> {
    return this.get(path(table, "map"), { digits: digit }, signal);
  }

  private get<T>(to: string, query: Record<string, string | number>, signal?: AbortSignal): Promise<T> {
    const text = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)])).toString();
    return this.ask<T>(text ? `${to}?${text}` : to, { signal });
  }

  private post<T>(to: string, body: unknown, signal?: AbortSignal): Promise<T> {
    const headers = { "Content-Type": "application/json" };
    return this.ask<T>(to, { method: "POST", headers, body: JSON.stringify(body), signal });
  }

  private async ask<T>(to: string, init: RequestInit): Promise<T> {
    for (;;) {
      const token = sessionStorage.getItem(tokenKey);
      const headers: Record<string, string> = { Accept: "application/json", ...(init.headers as Record<string, string>) };
      if (token) headers.Authorization = `Bearer ${token}`;
      let answer: Response;
      try {
        answer = await fetch(to, { ...init, headers });
      } catch (err) {
        if (init.signal?.aborted) throw err;
        throw new ApiError("network", "The server does not answer.");
      }
      if (answer.status === 401) {
        await this.newToken(token);
        continue;
      }
      if (answer.ok) return (await answer.json()) as T;
      throw await failure(answer);
    }
  }

  // Several requests may be refused at once: one question serves them all.
  private async newToken(refused: string | null): Promise<void> {
    if (sessionStorage.getItem(tokenKey) !== refused) return;
    this.asking ??= this.askToken(refused !== null).finally(() => (this.asking = null));
    sessionStorage.setItem(tokenKey, await this.asking);
  }
}

/** A word by its symbol, or by its id where it has none. */
export type Asked = { symbol: string } | { id: number };

function asked(word: Asked): Record<string, string | number> {
  return "symbol" in word ? { symbol: word.symbol } : { id: word.id };
}

function path(table: string, ...rest: string[]): string {
  return ["v1/tables", encodeURIComponent(table), ...rest].join("/");
}

async function failure(answer: Response): Promise<ApiError> {
  try {
    const { error } = (await answer.json()) as { error: { code: string; message: string; suggestions?: string[] } };
    return new ApiError(error.code, error.message, error.suggestions);
  } catch {
    return new ApiError("internal", `The server answered ${answer.status} ${answer.statusText}.`);
  }
}

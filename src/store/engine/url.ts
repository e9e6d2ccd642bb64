/** Parses database URLs (contract, section 9) without loading an engine. */

export const DATABASE_URLS = "sqlite:PATH or postgres://…";

/** Whether the program has an engine for this kind of URL. */
export function isDatabaseUrl(url: string): boolean {
  return fileOf(url) !== undefined || isPostgresUrl(url);
}

/** The path of a SQLite database; `undefined` for any other URL. */
export function fileOf(url: string): string | undefined {
  return url.startsWith("sqlite:") && url.length > "sqlite:".length ? url.slice("sqlite:".length) : undefined;
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

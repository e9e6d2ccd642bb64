/** What a database URL names (contract, section 9); without loading an engine. */

/** Whether a URL is of a kind that this program opens. */
export function isDatabaseUrl(url: string): boolean {
  return fileOf(url) !== undefined || isPostgresUrl(url);
}

/** The path of a SQLite database; `undefined` for a URL of another kind. */
export function fileOf(url: string): string | undefined {
  return url.startsWith("sqlite:") && url.length > "sqlite:".length ? url.slice("sqlite:".length) : undefined;
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

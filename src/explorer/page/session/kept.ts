/** Values in the tab's session storage, including the access token. If the browser stores nothing, there are none. */
const nameOf = (key: string) => `rolebook.${key}`;

export function kept(key: string): string | undefined {
  try {
    return sessionStorage.getItem(nameOf(key)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a value, or forgets it if it is `undefined`. */
export function keep(key: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(nameOf(key));
    else sessionStorage.setItem(nameOf(key), value);
  } catch {
    // Not remembered.
  }
}

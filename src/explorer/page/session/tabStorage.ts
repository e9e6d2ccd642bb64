/** Values in the session storage of the browser tab, among them the access token. Some browsers store nothing. */
const storageKey = (key: string) => `rolebook.${key}`;

export function storedInTab(key: string): string | undefined {
  try {
    return sessionStorage.getItem(storageKey(key)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value, or removes it if it is `undefined`. Returns false if the browser stores nothing, or has no room. */
export function storeInTab(key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) sessionStorage.removeItem(storageKey(key));
    else sessionStorage.setItem(storageKey(key), value);
    return true;
  } catch {
    return false;
  }
}

/** The access token, only in this tab's session storage (brief, "Sign in"). */
const KEY = "rolebook.token";

export function keptToken(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores the token; without storage it lasts as long as the page. */
export function keepToken(token: string): void {
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    // Not kept.
  }
}

export function forgetToken(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Was not kept.
  }
}

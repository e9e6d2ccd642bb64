/** The access token: in this tab's session storage and nowhere else (brief, "Sign in"). */
const KEY = "rolebook.token";

export function keptToken(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Where storage is switched off the token lasts as long as the page. */
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

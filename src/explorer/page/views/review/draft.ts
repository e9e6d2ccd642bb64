/**
 * Marks that were not saved to a file yet, in this browser: ids, decisions and notes, no names; apart for each
 * organization, token and list.
 */
import type { Mark } from "./sheet.ts";

export interface Draft {
  /** Where the review is, as the page's address. */
  readonly address: string;
  /** Of the sheet that the marks were made on. */
  readonly sha256: string;
  readonly marks: Readonly<Record<string, Mark>>;
  /** Whether a file has all of it. */
  readonly saved: boolean;
}

/** Whose drafts: the organization and the token, both by id. */
export interface Holder {
  readonly organization: string;
  readonly token: string;
}

const PREFIX = "rolebook.draft";

function keyOf({ organization, token }: Holder, list: string): string {
  return [PREFIX, organization, token, list].map(encodeURIComponent).join("/");
}

export function draftOf(holder: Holder, list: string): Draft | undefined {
  try {
    return read(localStorage.getItem(keyOf(holder, list)));
  } catch {
    return undefined;
  }
}

/** Keeps a draft, or forgets it where nothing is marked. False where the browser keeps nothing. */
export function keepDraft(holder: Holder, list: string, draft: Draft): boolean {
  try {
    if (Object.keys(draft.marks).length === 0) localStorage.removeItem(keyOf(holder, list));
    else localStorage.setItem(keyOf(holder, list), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** The drafts of a holder that no file has. */
export function unsavedDrafts(holder: Holder): Draft[] {
  return keysOf(holder).flatMap((key) => {
    const draft = read(localStorage.getItem(key));
    return draft === undefined || draft.saved ? [] : [draft];
  });
}

export function discardDrafts(holder: Holder): void {
  for (const key of keysOf(holder)) localStorage.removeItem(key);
}

function keysOf(holder: Holder): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(keyOf(holder, "")));
  } catch {
    return [];
  }
}

function read(text: string | null): Draft | undefined {
  if (text === null) return undefined;
  const draft: Draft = JSON.parse(text);
  return draft;
}

/**
 * Drafts of reviews in the browser's local storage: ids, decisions and comments, but no names. One draft per
 * organization, token and scope of a report.
 */
import type { Mark } from "./sheet.ts";

export interface Draft {
  readonly address: string;
  /** The SHA-256 of the rows that the reviewer saw. */
  readonly sha256: string;
  readonly marks: Readonly<Record<string, Mark>>;
  /** Whether the reader saved the marks to a file. */
  readonly saved: boolean;
}

/** Whose drafts these are: the ids of an organization and of a token. */
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

/** Stores a draft, or deletes it if it has no marks. Returns false if the browser stores nothing. */
export function keepDraft(holder: Holder, list: string, draft: Draft): boolean {
  try {
    if (Object.keys(draft.marks).length === 0) localStorage.removeItem(keyOf(holder, list));
    else localStorage.setItem(keyOf(holder, list), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

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

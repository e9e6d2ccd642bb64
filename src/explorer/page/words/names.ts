/** How names of the directory are shown: as they are, but for what would hide them or turn the text around them. */

/** Embeddings, overrides and isolates of the direction of text. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Nothing in it leaves ink. */
const BLANK = /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A text with its direction controls as marks that can be seen: "Ann[U+202E]gnp.exe". */
export function visible(text: string): string {
  return text.replaceAll(DIRECTION, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);
}

type Person = { id: string; displayName: string; email?: string };
type Thing = { id: string; title: string };

/** What something is called, to the letter: of a person the first of name, e-mail address and id that leaves ink. */
export function rawName(thing: Thing | Person): string {
  const names = "title" in thing ? [thing.title] : [thing.displayName, thing.email ?? ""];
  return names.find((name) => !BLANK.test(name)) ?? thing.id;
}

/** What something is called, as it is shown; "" while it is not known. */
export function nameOf(thing: Thing | Person | undefined): string {
  return thing ? visible(rawName(thing)) : "";
}

/** The titles of a way, joined. */
export function pathText(path: readonly string[]): string {
  return path.map((title) => (BLANK.test(title) ? "–" : visible(title))).join(" / ");
}

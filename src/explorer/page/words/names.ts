/** How names are shown: unchanged, except characters that would hide them or reverse the text around them. */

/** Embeddings, overrides and isolates of text direction. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Text without a visible character. */
const BLANK = /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A text with visible direction controls: "Ann[U+202E]gnp.exe". */
export function visible(text: string): string {
  return text.replaceAll(DIRECTION, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);
}

type Person = { id: string; displayName: string; email?: string };
type Thing = { id: string; title: string };

/** The exact name of a subject; for a person, the first visible one of name, e-mail address and id. */
export function rawName(thing: Thing | Person): string {
  const names = "title" in thing ? [thing.title] : [thing.displayName, thing.email ?? ""];
  return names.find((name) => !BLANK.test(name)) ?? thing.id;
}

/** The shown name of a subject; "" until it is known. */
export function nameOf(thing: Thing | Person | undefined): string {
  return thing ? visible(rawName(thing)) : "";
}

/** The titles of a path, joined. */
export function pathText(path: readonly string[]): string {
  return path.map((title) => (BLANK.test(title) ? "–" : visible(title))).join(" / ");
}

/** A text with a capital at its beginning. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

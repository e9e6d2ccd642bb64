/** How names of the directory are shown: as they are, but for what would hide them or turn the text around them. */

/** Embeddings, overrides and isolates of the direction of text. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Nothing in it leaves ink. */
const BLANK = /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A text with its direction controls as marks that can be seen: "Ann[U+202E]gnp.exe". */
export function visible(text: string): string {
  return text.replaceAll(DIRECTION, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);
}

/** The first of some names that can be seen. */
function firstSeen(...names: readonly (string | undefined)[]): string {
  return visible(names.find((name) => name !== undefined && !BLANK.test(name)) ?? "");
}

/** What a person is called: the name, where that is blank the e-mail address, otherwise the id. */
export function personName(person: { id: string; displayName: string; email?: string }): string {
  return firstSeen(person.displayName, person.email, person.id);
}

/** What a thing with a title is called: the title, where that is blank the id. */
export function titleName(thing: { id: string; title: string }): string {
  return firstSeen(thing.title, thing.id);
}

/** What either is called. */
export function nameOf(
  thing: { id: string; title: string } | { id: string; displayName: string; email?: string },
): string {
  return "title" in thing ? titleName(thing) : personName(thing);
}

/** The titles of a way, joined. */
export function pathText(path: readonly string[]): string {
  return path.map((title) => (BLANK.test(title) ? "–" : visible(title))).join(" / ");
}

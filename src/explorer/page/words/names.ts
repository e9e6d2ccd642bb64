/** Shows names unchanged, except for characters that would hide a name or reverse the text around it. */
import type { SearchHit } from "../../wire/lists.ts";

const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/gu;
const BLANK = /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Makes direction controls visible, such as "Ann[U+202E]gnp.exe". */
export function visible(text: string): string {
  return text.replaceAll(DIRECTION, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);
}

export type NamedPerson = { id: string; displayName: string; email?: string };
export type NamedThing = { id: string; title: string };
/** What has a name, and the text that is shown beside it. */
export type Named = readonly [thing: NamedThing | NamedPerson, beside?: string | undefined];

/**
 * The unchanged name of a subject. For a person: the first of display name, e-mail address and id that has a visible
 * character.
 */
export function rawName(thing: NamedThing | NamedPerson): string {
  const names = "title" in thing ? [thing.title] : [thing.displayName, thing.email ?? ""];
  return names.find((name) => !BLANK.test(name)) ?? thing.id;
}

/** The name of a subject as it is shown; "" until the subject is loaded. */
export function nameOf(thing: NamedThing | NamedPerson | undefined): string {
  return thing ? visible(rawName(thing)) : "";
}

/** The ids of things that nothing but their id tells apart: others have the same name and the same text beside it. */
export function sameNamed(named: Iterable<Named>): ReadonlySet<string> {
  const ids = new Map<string, string>();
  const same = new Set<string>();
  for (const [thing, beside = ""] of named) {
    const text = `${nameOf(thing)}\n${beside}`;
    const other = ids.get(text) ?? thing.id;
    ids.set(text, other);
    if (other !== thing.id) same.add(other).add(thing.id);
  }
  return same;
}

/** A search hit with what is beside its name, for {@link sameNamed}. */
export function namedHit(hit: SearchHit): Named {
  const beside = "path" in hit ? hit.path.join("/") : hit.kind === "member" ? hit.email : "";
  return [hit, `${hit.kind} ${beside}`];
}

export function pathText(path: readonly string[]): string {
  return path.map((title) => (BLANK.test(title) ? "–" : visible(title))).join(" / ");
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A space's emoji. Some directories write its code points in hexadecimal ("1f4d8"), which this converts. */
export function emoji(text: string): string {
  if (!/^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/iu.test(text)) return text;
  const points = text.split("-").map((part) => Number.parseInt(part, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : text;
}

/** Sort keys of lists by title. */
import { type ContentKey, idOf, kindOf } from "./content.ts";
import { tidy } from "./search.ts";

/** How many UTF-16 units of a title decide the order. */
const SORTED = 100;

/** A sort key: normalized title, then id, as one text. U+0001 sorts before every character of a normalized title. */
export function titleKeyOf(title: string, id: string): string {
  return titleKeyOfTidied(tidy(title), id);
}

/** As {@link titleKeyOf}, of a normalized title. */
export function titleKeyOfTidied(tidied: string, id: string): string {
  return `${cut(tidied, SORTED)}\u0001${id}`;
}

/** The sort key of a content with a normalized title: collections before spaces, then by title and id. */
export function contentTitleKeyOfTidied(content: ContentKey, tidied: string): string {
  return `${kindOf(content) === "collection" ? 0 : 1}${titleKeyOfTidied(tidied, idOf(content))}`;
}

/** The first `length` UTF-16 units of a text, without half a character at the end. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

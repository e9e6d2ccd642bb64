/** Sort keys of lists by title. */
import { type ContentKey, idOf, kindOf } from "../../domain/content.ts";
import { cut, tidy } from "./search-terms.ts";

/** How many UTF-16 units of a title decide the order. */
const SORTED = 100;

/** A sort key: normalized title, then id, as one text. U+0001 sorts before every character of a normalized title. */
export function titleKeyOf(title: string, id: string): string {
  return `${cut(tidy(title), SORTED)}\u0001${id}`;
}

/** The sort key of a content: collections before spaces, then by title and id. */
export function contentTitleKey(content: ContentKey, title: string): string {
  return `${kindOf(content) === "collection" ? 0 : 1}${titleKeyOf(title, idOf(content))}`;
}

/** The order of lists by title. */
import { type ContentKey, idOf, kindOf } from "../../domain/content.ts";
import { cut, tidy } from "./search-terms.ts";

/** The length of a title's prefix that decides the order, in UTF-16 units. */
const SORTED = 100;

/** The sort key by case-folded title, then id, as one text. U+0001 sorts before every character of a tidied title. */
export function titleKeyOf(title: string, id: string): string {
  return `${cut(tidy(title), SORTED)}\u0001${id}`;
}

/** The sort key of a content by title; collections come before spaces. */
export function contentTitleKey(content: ContentKey, title: string): string {
  return `${kindOf(content) === "collection" ? 0 : 1}${titleKeyOf(title, idOf(content))}`;
}

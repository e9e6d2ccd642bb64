import type { Address } from "../../session/address/address.ts";
import { narrowingOf } from "../../session/address/filters.ts";

/** The longest file name, in characters and in bytes of UTF-8. File systems allow 255 bytes. */
const LONGEST = 100;
const MOST_BYTES = 240;
/** Windows refuses names of devices as file names, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)\s*(?:\.|$)/iu;

/**
 * A file name such as "API reference, everyone, review, 2026-11-20, revision 12.csv": the subject, list, role, import
 * date and revision, without control characters, direction marks and path separators.
 */
export function fileName(
  title: string,
  address: Address,
  shown: { readonly revision: number | string; readonly importedAt: string } | undefined,
): string {
  const { view, tab, role } = address;
  const list = tab === "" ? (title.toLowerCase() === view ? [] : [view]) : [tab];
  const when = shown ? [shown.importedAt.slice(0, 10), `revision ${shown.revision}`] : [];
  // Of the filters, the name has only the role. The header lines of the file have all of them.
  const narrowed = narrowingOf(address).some((name) => name !== "role") ? ["filtered"] : [];
  const rest = [...list, ...(role === undefined ? [] : [role]), ...narrowed, ...when]
    .map((part) => `, ${part}`)
    .join("");
  return `${cut(safe(title), `${safe(rest)}.csv`)}.csv`;
}

function safe(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(/[<>:"/\\|?*]+/gu, "-")
    .replaceAll(/\s+/gu, " ");
}

/** Joins `title` and `ending`, without ".csv". Shortens the title if the name is too long. */
function cut(title: string, ending: string): string {
  const begin = title.trim().replace(/^\.+/u, "_");
  const characters = [...(RESERVED.test(begin) ? `_${begin}` : begin || "list")];
  const rest = ending.slice(0, -".csv".length);
  const fits = () => {
    const name = characters.join("") + ending;
    return [...name].length <= LONGEST && new TextEncoder().encode(name).length <= MOST_BYTES;
  };
  while (characters.length > 1 && !fits()) characters.pop();
  return characters.join("").trimEnd() + rest;
}

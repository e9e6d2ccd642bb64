import type { Revision } from "../../../wire/answer.ts";
import { narrowingOf, type Address } from "../../session/address/address.ts";

/** The longest name, in characters, and in bytes of UTF-8: file systems take 255. */
const LONGEST = 100;
const MOST_BYTES = 240;
/** Names of devices, which Windows does not take for files, whatever comes behind a point. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)\s*(?:\.|$)/iu;

/**
 * "API reference, everyone, review, 2026-11-20, revision 12.csv": what a list is of, which one, when it was imported.
 * Without controls, direction marks and what separates folders.
 */
export function fileName(title: string, address: Address, shown: Revision | undefined): string {
  const { view, tab, role } = address;
  const list = tab === "" ? (title.toLowerCase() === view ? [] : [view]) : [tab];
  const when = shown ? [shown.importedAt.slice(0, 10), `revision ${shown.revision}`] : [];
  // What else it is narrowed to stands in the file.
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

/** `title` and what follows it, the title as much shorter as it takes. */
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

/** Files that the page saves, as downloads of the browser, and their names. */
import { type Address, activeFilters } from "../session/address.ts";

const TYPES: Readonly<Record<string, string>> = { csv: "text/csv", html: "text/html" };

/** Saves a whole file. The browser asks where, or chooses the place, as for any download. */
export function save(name: string, content: string | Blob): void {
  const type = TYPES[name.split(".").at(-1) ?? ""] ?? "application/x-ndjson";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  // The browser reads the data after the click; a minute is long enough.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The most characters of a title in a file name: four bytes each fit into the 255 that file systems allow. */
const LONGEST_TITLE = 50;
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
  const { view, tab, role = "" } = address;
  const begin = [...safe(title).trim().replace(/^\.+/u, "_")].slice(0, LONGEST_TITLE).join("").trim();
  return [
    RESERVED.test(begin) ? `_${begin}` : begin || "list",
    tab || (title.toLowerCase() === view ? "" : view),
    safe(role).slice(0, LONGEST_TITLE),
    // Of the filters, the name has only the role. The header lines of the file have all of them.
    activeFilters(address).some((name) => name !== "role") ? "filtered" : "",
    shown ? `${shown.importedAt.slice(0, 10)}, revision ${shown.revision}` : "",
  ]
    .filter((part) => part !== "")
    .join(", ")
    .concat(".csv");
}

function safe(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(/[<>:"/\\|?*]+/gu, "-")
    .replaceAll(/\s+/gu, " ");
}

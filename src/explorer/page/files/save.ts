/** Where a file goes: its name, and a sink that writes it, with the file picker or as a download. */
import { type Address, activeFilters } from "../session/address.ts";

interface Sink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  /** Removes the incomplete file, as far as the browser can. */
  abandon(): Promise<Left>;
}

/** What a failed download leaves on the disk; `before` is the previous file of that name. */
export type Left = "nothing" | "before" | "empty";

/** The used part of the File System Access API, which not every browser has. */
interface Picker {
  showSaveFilePicker(options: {
    suggestedName: string;
    types: { description: string; accept: Record<string, string[]> }[];
  }): Promise<Handle>;
}
interface Handle {
  createWritable(): Promise<Writable>;
  getFile(): Promise<Blob>;
  /** Absent in some browsers that have the file picker. */
  remove?(): Promise<void>;
}
interface Writable {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

function hasPicker(window: object): window is Picker {
  return "showSaveFilePicker" in window && typeof window.showSaveFilePicker === "function";
}

/**
 * Lets the reader choose a file, and opens it. A browser without a file picker collects the data in memory and
 * downloads it at the end. `undefined` if the reader cancelled.
 */
export async function openSink(name: string): Promise<Sink | undefined> {
  if (!hasPicker(window)) return blobSink(name);
  try {
    const [ending = ""] = /\.\w+$/u.exec(name) ?? [];
    const types = [{ description: ending.slice(1).toUpperCase(), accept: { [typeOf(name)]: [ending] } }];
    const file = await window.showSaveFilePicker({ suggestedName: name, types });
    const writable = await file.createWritable();
    return {
      write: (bytes) => writable.write(bytes),
      close: () => writable.close(),
      async abandon() {
        await writable.abort().catch(() => {});
        // Unless a file existed before, the file picker created an empty one.
        if ((await file.getFile()).size > 0) return "before";
        if (!file.remove) return "empty";
        await file.remove();
        return "nothing";
      },
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    // The browser does not allow the picker here, for example in a frame.
    return blobSink(name);
  }
}

const TYPES: Readonly<Record<string, string>> = { csv: "text/csv", html: "text/html" };

function typeOf(name: string): string {
  return TYPES[name.split(".").at(-1) ?? ""] ?? "application/x-ndjson";
}

function blobSink(name: string): Sink {
  let parts: Uint8Array<ArrayBuffer>[] = [];
  return {
    async write(bytes) {
      parts.push(bytes);
    },
    async close() {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(parts, { type: `${typeOf(name)};charset=utf-8` }));
      link.download = name;
      link.click();
      parts = [];
      // The browser reads the data after the click; a minute is long enough.
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    },
    async abandon() {
      parts = [];
      return "nothing";
    },
  };
}

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
  const narrowed = activeFilters(address).some((name) => name !== "role") ? ["filtered"] : [];
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

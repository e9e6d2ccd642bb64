export interface Sink {
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
    const types = [{ description: "CSV", accept: { "text/csv": [".csv"] } }];
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

function blobSink(name: string): Sink {
  let parts: Uint8Array<ArrayBuffer>[] = [];
  return {
    async write(bytes) {
      parts.push(bytes);
    },
    async close() {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(parts, { type: "text/csv;charset=utf-8" }));
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

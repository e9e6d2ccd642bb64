/** The destination of a download. */
export interface Sink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Completes the file. */
  close(): Promise<void>;
  /** Removes the file as far as possible. Returns what is left. */
  abandon(): Promise<Left>;
}

/** What a failed download leaves: nothing, the previous file, or an empty file. */
export type Left = "nothing" | "before" | "empty";

/** The part of the File System Access API that is used here; not every browser has it. */
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

/** Opens a file on disk if the browser can, otherwise one in memory. `undefined` if the reader cancelled. */
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
        // The file picker creates an empty file.
        if ((await file.getFile()).size > 0) return "before";
        if (!file.remove) return "empty";
        await file.remove();
        return "nothing";
      },
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    // The picker is not allowed, for instance in a frame.
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
      // After a minute, the browser has read the data.
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    },
    async abandon() {
      parts = [];
      return "nothing";
    },
  };
}

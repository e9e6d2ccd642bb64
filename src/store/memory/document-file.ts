/** The file that has the documents of a process. */
import { accessSync, closeSync, constants, readSync, statfsSync, write, writeSync } from "node:fs";
import { promisify } from "node:util";
import { createNameless } from "../private-file.ts";

/** Where the documents of some entries of a chunk lie. */
export interface Stretch {
  readonly file: DocumentFile;
  readonly publicUrl: string;
  /** Where the stretch begins in the file. */
  readonly offset: number;
  /** For each entry, where its record begins in the stretch, and where its document is cut; then its length. */
  readonly marks: Uint32Array;
}

const ZEROS = Buffer.alloc(1 << 20);

/** A file without a name: it ends when it is closed, or with the process. */
export class DocumentFile {
  readonly #descriptor: number;
  #length = 0;
  /** Whether documents can be read from it. */
  isOpen = true;

  /** Throws if the file cannot be created in the folder. */
  constructor(folder: string) {
    this.#descriptor = createNameless(folder);
  }

  /** Appends bytes, and returns where they begin. */
  append(bytes: Buffer): number {
    const begin = this.#length;
    for (let done = 0; done < bytes.length;) {
      const written = writeSync(this.#descriptor, bytes, done, bytes.length - done, begin + done);
      done += written;
      this.#length += written;
    }
    return begin;
  }

  /** Fills the first `length` bytes of a buffer. Throws if the file has fewer. */
  read(into: Buffer, length: number, offset: number): void {
    if (readSync(this.#descriptor, into, 0, length, offset) !== length) {
      throw new Error(`it has less than ${length} bytes at ${offset}`);
    }
  }

  get length(): number {
    return this.#length;
  }

  close(): void {
    this.isOpen = false;
    closeSync(this.#descriptor);
  }

  /** Closes the file when each of its bytes is zero. No document can be read from it meanwhile. */
  async overwrite(): Promise<void> {
    this.isOpen = false;
    try {
      for (let done = 0; done < this.#length;) {
        const length = Math.min(ZEROS.length, this.#length - done);
        done += (await writeLater(this.#descriptor, ZEROS, 0, length, done)).bytesWritten;
      }
    } finally {
      closeSync(this.#descriptor);
    }
  }
}

/** Writes without holding up the thread. */
const writeLater = promisify(write);

/** File systems that are no disk of this machine, by their number in `statfs`: memory, and other machines' disks. */
const NO_DISKS = new Set([
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x6969, // NFS
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x65735546, // FUSE
  0x01021997, // 9P
  0x00c36400, // Ceph
]);

/** Whether a folder can be written and is on a disk of this machine; false if there is no such folder. */
export function isWritableDisk(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return !NO_DISKS.has(statfsSync(folder).type);
  } catch {
    return false;
  }
}

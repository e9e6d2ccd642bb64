import { CommandError, UsageError } from "../../domain/error.ts";
import { bytesOf, formOf, UnreadableFile } from "../../snapshot/input.ts";
import { show } from "../../snapshot/problem.ts";

/** A file that is being decoded. Error messages need what is known about its bytes. */
export interface Decoding {
  readonly encoding: string;
  /** Whether bytes were invalid in this encoding. They became U+FFFD. */
  readonly damaged: boolean;
  /** Whether U+0000 occurred. */
  readonly hasNull: boolean;
  /** The text in pieces. A line ends with `\n`. */
  readonly texts: AsyncGenerator<string>;
}

/**
 * Opens a file, or standard input for `-`. The encoding is that of a byte order mark; without one, `encoding`; without
 * that, UTF-16 if one of the first two bytes is zero, else UTF-8. Throws a CommandError for a file that is no text,
 * such as a workbook, or cannot be read, and a UsageError for an unknown encoding.
 */
export async function decode(file: string, encoding: string | undefined): Promise<Decoding> {
  const chunks = bytesIn(file);
  const first = await chunks.next();
  const head = first.done === true ? Buffer.alloc(0) : first.value;
  const form = formOf(head);
  if (form !== undefined)
    throw new CommandError(`${file} is ${form}; accepted: CSV, as a spreadsheet saves it.`);
  const name = recognised(head) ?? encoding ?? guessed(head);
  let strict: TextDecoder | undefined = decoderFor(name, true);
  const lenient = decoderFor(name, false);
  let held = "";
  const decoding = { encoding: name, damaged: false, hasNull: false, texts: texts() };
  return decoding;

  async function* texts(): AsyncGenerator<string> {
    yield piece(head, false);
    for await (const chunk of chunks) yield piece(chunk, false);
    yield piece(Buffer.alloc(0), true);
  }

  function piece(bytes: Buffer, last: boolean): string {
    const text = held + decoded(bytes, !last);
    if (text.includes("\0")) decoding.hasNull = true;
    // Whether a final \r ends a line alone depends on the next character.
    const whole = last || !text.endsWith("\r") ? text : text.slice(0, -1);
    held = text.slice(whole.length);
    return whole.replaceAll(/\r\n?/g, "\n");
  }

  function decoded(bytes: Buffer, stream: boolean): string {
    const text = lenient.decode(bytes, { stream });
    try {
      strict?.decode(bytes, { stream });
    } catch {
      strict = undefined;
      decoding.damaged = true;
    }
    return text;
  }
}

async function* bytesIn(file: string): AsyncGenerator<Buffer> {
  try {
    yield* bytesOf(file);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new CommandError(`${file} cannot be read: ${error.message}.`, { cause: error });
  }
}

function recognised(head: Buffer): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return undefined;
}

function guessed(head: Buffer): string {
  if (head.length < 2 || (head[0] === 0) === (head[1] === 0)) return "utf-8";
  return head[0] === 0 ? "utf-16be" : "utf-16le";
}

function decoderFor(encoding: string, fatal: boolean): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal });
  } catch (cause) {
    throw new UsageError(
      `--encoding is ${show(encoding)}; accepted: an encoding such as windows-1252, iso-8859-15 or shift_jis.`,
      { cause },
    );
  }
}

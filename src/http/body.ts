/** The body of a request; only a review of the explorer has one. */
import { ApiError } from "../domain/error.ts";
import { quote } from "../domain/text.ts";
import type { Request } from "./exchange.ts";

/** The largest body, in bytes. */
const MOST_BYTES = 16 << 20;

/**
 * Reads a body that must be JSON in UTF-8. Throws 415 for another content type or an encoding, 413 for a body that is
 * too large, and 400 for one that is no JSON.
 */
export async function jsonBody({ raw }: Request): Promise<unknown> {
  const { "content-type": type = "", "content-encoding": encoding, "content-length": length } = raw.headers;
  if (!/^application\/json *(; *charset="?utf-8"? *)?$/i.test(type))
    throw new ApiError(
      "unsupportedMediaType",
      `The content type is ${quote(type)}; accepted: application/json.`,
    );
  if (encoding !== undefined)
    throw new ApiError("unsupportedMediaType", `The content encoding is ${quote(encoding)}; accepted: none.`);
  if (Number(length) > MOST_BYTES) throw tooLarge();
  const pieces: Buffer[] = [];
  let size = 0;
  // Without `destroyOnReturn`, the refusal of a body that is too large can still be sent.
  const body = raw.iterator({ destroyOnReturn: false });
  try {
    for await (const piece of body) {
      size += piece.length;
      if (size > MOST_BYTES) throw tooLarge();
      pieces.push(piece);
    }
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces)));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("badRequest", "The body is not JSON in UTF-8.");
  }
}

function tooLarge(): ApiError {
  return new ApiError("contentTooLarge", `The body is larger than ${MOST_BYTES >> 20} MiB.`);
}

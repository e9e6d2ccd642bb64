import { ApiError } from "../domain/error.ts";
import { quote } from "../domain/text.ts";

/**
 * Parses a query string without its `?`. Throws 400 for a repeated parameter, for invalid percent-encoding, and for a
 * name that is not in `known`: if a misspelt filter were ignored, the list would be too long.
 */
export function parseQuery(raw: string, known: readonly string[]): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of raw === "" ? [] : raw.split("&")) {
    const equals = part.indexOf("=");
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = decode(equals < 0 ? "" : part.slice(equals + 1));
    if (!known.includes(name)) {
      throw new ApiError(
        "badRequest",
        `There is no parameter ${quote(name)}; accepted: ${known.join(", ") || "none"}.`,
      );
    }
    if (parameters.has(name)) {
      throw new ApiError("badRequest", `The parameter ${name} is given twice; accepted: once.`);
    }
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new ApiError(
      "badRequest",
      `The query contains ${quote(text)}; accepted: valid percent-encoding of UTF-8.`,
    );
  }
}

import { COUNT_ACCEPTS } from "../fields.ts";
import { RECORDS } from "../records.ts";

const NAMES = Object.entries(RECORDS.space.properties)
  .filter(([, field]) => "accepts" in field && field.accepts === COUNT_ACCEPTS)
  .map(([name]) => name);
const COUNTS = new RegExp(
  String.raw`"(${NAMES.join("|")})"\s*:\s*(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?`,
  "g",
);

/**
 * `JSON.parse` rounds some fractions to whole numbers, such as 9007199254740991.2. Returns the first count of a space,
 * such as `comments`, that is no whole number as written in `text`, the line of the valid `record`.
 */
export function inexactCount(
  text: string,
  record: { readonly object: string },
): { field: string; written: string } | undefined {
  if (record.object !== "space") return undefined;
  for (const [, field = "", whole = "", fraction = "", exponent = "0"] of text.matchAll(COUNTS)) {
    if (isWhole(whole, fraction, exponent)) continue;
    return {
      field,
      written: `${whole}${fraction && `.${fraction}`}${exponent === "0" ? "" : `e${exponent}`}`,
    };
  }
  return undefined;
}

/** Whether digits, a fraction and an exponent make a whole number. */
function isWhole(whole: string, fraction: string, exponent: string): boolean {
  const digits = `${whole}${fraction}`.replace(/0+$/, "");
  if (/^-?$/.test(digits)) return true;
  const dropped = whole.length + fraction.length - digits.length;
  return Number(exponent) + dropped >= fraction.length;
}

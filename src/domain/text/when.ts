/** WHEN, the text that names a past revision (contract, section 10). */
import { DATE_TIME_ACCEPTS, normaliseDate } from "./date.ts";

/** A day means its end in UTC, 23:59:59.999. Times are ISO 8601 in UTC. */
export type When =
  | { readonly kind: "revision"; readonly revision: number }
  | { readonly kind: "day"; readonly from: string; readonly to: string }
  | { readonly kind: "time"; readonly time: string };

/** `spelt` is the text as the user wrote it. */
export interface SpeltWhen {
  readonly spelt: string;
  readonly when: When;
}

export const WHEN_ACCEPTS = `the number of a revision, such as 41, a day, such as 2026-03-01, or ${DATE_TIME_ACCEPTS}`;

const NUMBER = /^[1-9][0-9]{0,15}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** `undefined` for a malformed text. */
export function parseWhen(text: string): When | undefined {
  if (NUMBER.test(text)) return { kind: "revision", revision: Number(text) };
  if (!DAY.test(text)) {
    const time = normaliseDate(text);
    return time === undefined ? undefined : { kind: "time", time };
  }
  const from = normaliseDate(`${text}T00:00:00.000Z`);
  return from === undefined ? undefined : { kind: "day", from, to: `${text}T23:59:59.999Z` };
}

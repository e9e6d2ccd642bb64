import { UsageError } from "../../domain/error.ts";

/** What an environment variable sets, and what it accepts. */
export interface Setting<Value> {
  readonly name: `ROLEBOOK_${string}`;
  /** What it is for, as a phrase in Markdown. */
  readonly help: string;
  /** What it accepts, as a phrase. */
  readonly accepted: string;
  /** What holds where it is not set. */
  readonly fallback: Value;
  /** The fallback in words, where it does not speak for itself. */
  readonly otherwise?: string;
  /** Whether every value that is refused stays unseen, as one with a user and a password does. */
  readonly secret?: boolean;
  /** The value of a text; `undefined` where it is not accepted. */
  read(text: string): Value | undefined;
}

/** The value of a setting from its text. Throws a UsageError of one line that names `name`. */
export function valueOf<Value>(
  setting: Setting<Value>,
  text: string | undefined,
  name: string = setting.name,
): Value {
  if (text === undefined) return setting.fallback;
  const value = text === "" ? undefined : setting.read(text);
  if (value !== undefined) return value;
  const hidden = setting.secret === true || text.includes("@");
  const found = hidden ? "is not understood" : `is ${JSON.stringify(text)}`;
  throw new UsageError(`${name} ${text === "" ? "is empty" : found}; accepted: ${setting.accepted}.`);
}

import { UsageError } from "../../domain/error.ts";

export interface Setting<Value> {
  readonly name: `ROLEBOOK_${string}`;
  /** What it is for, as a Markdown phrase. */
  readonly help: string;
  /** Which values are accepted, as a phrase. */
  readonly accepted: string;
  /** The value while the variable is not set. */
  readonly fallback: Value;
  /** Says what the default is, if the value does not. */
  readonly otherwise?: string;
  /** Messages must not show the value, because it may contain a password. */
  readonly secret?: boolean;
  /** `undefined` for a text that is not accepted. */
  read(text: string): Value | undefined;
}

/** Parses the value of a setting. Throws a UsageError of one line that names `name`, the option or variable. */
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

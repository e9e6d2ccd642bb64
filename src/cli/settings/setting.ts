import { UsageError } from "../../domain/error.ts";

/** An environment variable and the values that it accepts. */
export interface Setting<Value> {
  readonly name: `ROLEBOOK_${string}`;
  /** Its purpose, as a Markdown phrase. */
  readonly help: string;
  /** The accepted values, as a phrase. */
  readonly accepted: string;
  /** The value if the variable is not set. */
  readonly fallback: Value;
  /** The fallback in words, if its value is not clear by itself. */
  readonly otherwise?: string;
  /** Whether messages must not show the value, because it may contain a password. */
  readonly secret?: boolean;
  /** Parses a text; `undefined` if it is not accepted. */
  read(text: string): Value | undefined;
}

/** Parses the value of a setting. Throws a UsageError of one line that names `name`. */
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

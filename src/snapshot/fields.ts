/** What each field accepts (contract, section 8). `accepts` is the end of a message: "accepted: …". */
import { Type } from "typebox";
import { Format } from "typebox/format";
import { DATE_TIME_ACCEPTS, normaliseDate } from "../domain/date.ts";
import { ID } from "../domain/id.ts";
import { ROLES } from "../domain/role.ts";

const CONTROL = /\p{Cc}/u;
function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

function isUserId(value: string): boolean {
  if (value === "" || value === "." || value === ".." || value.length > 510) return false;
  return value.isWellFormed() && !CONTROL.test(value) && (value.length <= 255 || [...value].length <= 255);
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) && value.isWellFormed() && URL.canParse(value);
}

/** The format of dates, which have several spellings. */
export const DATE_FORMAT = "rolebook-date";

Format.Set("rolebook-text", isText);
Format.Set("rolebook-user-id", isUserId);
Format.Set("rolebook-url", isWebAddress);
Format.Set(DATE_FORMAT, (value) => normaliseDate(value) !== undefined);

export const ID_ACCEPTS = "1 to 128 of the characters A-Z a-z 0-9 _ -";

export const id = Type.String({ pattern: ID.source, accepts: ID_ACCEPTS });

export const USER_ID_ACCEPTS = "1 to 255 characters, none of them a control character, and not . or ..";

export const userId = Type.String({
  format: "rolebook-user-id",
  minLength: 1,
  maxLength: 255,
  accepts: USER_ID_ACCEPTS,
});

export const text = Type.String({ format: "rolebook-text", accepts: "well-formed text without U+0000" });

export const url = Type.String({ format: "rolebook-url", accepts: "an absolute http or https URL" });

export const date = Type.String({
  format: DATE_FORMAT,
  accepts: DATE_TIME_ACCEPTS,
});

export const COUNT_ACCEPTS = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

export const count = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  accepts: COUNT_ACCEPTS,
});

export function word<const Words extends string[]>(words: readonly [...Words]) {
  return Type.Enum([...words], { accepts: words.join(", ") });
}

export const role = Type.Enum(ROLES, { accepts: ROLES.join(", ") });

export const memberRole = Type.Union([Type.Enum(ROLES), Type.Null()], {
  accepts: `${ROLES.join(", ")}, or null for a guest`,
});

export const defaultLevel = Type.Union([Type.Enum(ROLES), Type.Literal("inherit"), Type.Null()], {
  accepts: `${ROLES.join(", ")}, inherit, or null for closed`,
});

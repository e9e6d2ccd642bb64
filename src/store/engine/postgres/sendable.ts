import type { Parameter } from "../engine.ts";

/**
 * Parameters that PostgreSQL accepts: its texts cannot contain U+0000. No record contains that character (contract,
 * section 8), but a request may. It becomes U+0001, which no id contains either and which sorts next to it.
 */
export function sendable(parameters: readonly Parameter[]): Parameter[] {
  return parameters.map((parameter) => {
    if (typeof parameter === "string") return withoutNul(parameter);
    return isTexts(parameter) ? parameter.map(withoutNul) : parameter;
  });
}

function isTexts(parameter: Parameter): parameter is readonly string[] {
  return Array.isArray(parameter) && typeof parameter[0] === "string";
}

function withoutNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\u0001") : text;
}

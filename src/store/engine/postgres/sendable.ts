import type { Parameter } from "../engine.ts";

/**
 * Parameters as PostgreSQL takes them: its texts hold no U+0000. Neither does any record (contract, section 8), but a
 * caller may ask for what has one. U+0001 takes its place: no id holds that either, and it sorts next to it.
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

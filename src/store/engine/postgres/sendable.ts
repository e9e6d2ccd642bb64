import { type Column, isList, type Parameter } from "../engine.ts";

/**
 * Replaces U+0000 in parameters by U+0001, because PostgreSQL's texts cannot contain U+0000. No record contains U+0000
 * (contract, section 8), but a request may. No id contains U+0001 either, and it is the next character in sort order.
 */
export function sendable(parameters: readonly Parameter[]): Parameter[] {
  return parameters.map((parameter) =>
    isList(parameter) ? parameter.map(withoutNul) : withoutNul(parameter),
  );
}

function withoutNul(value: Column): Column {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u0001") : value;
}

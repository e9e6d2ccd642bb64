import { type Column, isList, type Parameter } from "../engine.ts";

/**
 * Parameters that PostgreSQL accepts: its texts cannot contain U+0000. No record contains that character (contract,
 * section 8), but a request may. It becomes U+0001, which no id contains either and which sorts next to it.
 */
export function sendable(parameters: readonly Parameter[]): Parameter[] {
  return parameters.map((parameter) =>
    isList(parameter) ? parameter.map(withoutNul) : withoutNul(parameter),
  );
}

function withoutNul(value: Column): Column {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u0001") : value;
}

import { Compile, type Validator } from "typebox/schema";
import { show } from "../problem.ts";
import { isKind } from "../records.ts";
import { explain, isObject, KINDS, onesOf, validate } from "../validate.ts";
import {
  type ChangeFileRecord,
  type Header,
  HEADER,
  isRemovable,
  type Removal,
  REMOVALS,
  type RemovableKind,
} from "./records.ts";

const headerCheck: Validator = Compile(HEADER);
const removalChecks = new Map<string, Validator>(
  Object.entries(REMOVALS).map(([kind, schema]) => [kind, Compile(schema)]),
);

/** The record of a parsed line, or a message of one sentence that says what is wrong. */
export function validateChange(value: unknown): ChangeFileRecord | string {
  if (!isObject(value)) return validate(value);
  const kind = value.object;
  if (kind === "changes") {
    return isHeaderRecord(value) ? value : (explain(kind, HEADER, value) ?? "changes is not valid");
  }
  if (!Object.hasOwn(value, "removed")) return validate(value, `changes, ${KINDS}`);
  if (isRemovable(kind)) {
    if (!isRemovalOf(kind, value)) return explain(kind, REMOVALS[kind], value) ?? `${kind} is not valid`;
    return (kind === "permission" && onesOf(value)) || value;
  }
  if (!isKind(kind)) return validate(value, `changes, ${KINDS}`);
  const instead = kind === "user" ? "; remove the member instead" : "";
  return `${kind}.removed is ${show(value.removed)}, but no ${kind} is ever removed${instead}`;
}

function isHeaderRecord(value: unknown): value is Header {
  return headerCheck.Check(value);
}

function isRemovalOf(kind: RemovableKind, value: unknown): value is Removal {
  return removalChecks.get(kind)?.Check(value) ?? false;
}

/** The columns and rows of a diff, for each output format. */
import { contentKey } from "../../domain/content.ts";
import { DIRECTIONS } from "../../domain/difference.ts";
import type { Sheet } from "../output/rows-output.ts";
import type { Held } from "../../store/revisions/diff/pairs.ts";
import {
  figures,
  membershipText,
  organizationRole,
  type WordedCause,
  type WordedContent,
  type WordedPair,
  type WordedPerson,
} from "./wording.ts";

/** The most causes in a row of a table. The number of others follows them. */
const CAUSES_IN_TABLE = 3;

/** Columns that a reviewer fills in. */
const DECISION = ["decision", "comment"] as const;
const UNDECIDED = ["", ""] as const;

const SUMMARY = [
  ["kind", "id", "title", "path", "change", "before", "after", "contents"],
  DIRECTIONS.toReversed(),
  ["causes", ...DECISION],
].flat();

export const PEOPLE: Sheet<WordedPerson> = {
  table: ["person", "name", "change", "before", "after", "contents", "because"],
  cells: ({ user, before, after, contents, cause }) => [
    user.id,
    user.displayName,
    membershipText(before, after),
    organizationRole(before),
    organizationRole(after),
    contents,
    cause.text,
  ],
  csv: SUMMARY,
  record: ({ user, before, after, contents, cause }) =>
    [
      ["user", user.id, user.displayName, "", membershipText(before, after)],
      [organizationRole(before), organizationRole(after), String(contents)],
      DIRECTIONS.map(() => ""),
      [cause.text, ...UNDECIDED],
    ].flat(),
  object: ({ user, before, after, contents, cause }) => ({
    user,
    change: membershipText(before, after),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    contents,
    causes: [cause],
  }),
};

export const CONTENTS: Sheet<WordedContent> = {
  table: ["content", "title", ...DIRECTIONS.toReversed(), "because"],
  cells: (row) => [
    contentKey(row.content.kind, row.content.id),
    row.content.title,
    ...figures(row).toReversed(),
    fewCauses(row),
  ],
  csv: SUMMARY,
  record: (row) =>
    [
      [row.content.kind, row.content.id, row.content.title, row.path.join(" / "), "roles", "", "", ""],
      figures(row).toReversed().map(String),
      [allCauses(row.causes) + (row.more ? "; perhaps more" : ""), ...UNDECIDED],
    ].flat(),
  object: ({ content, path, effect, causes, more }) => ({
    content,
    path,
    ...effect,
    causes,
    ...(more ? { more } : {}),
  }),
};

export const PAIRS: Sheet<WordedPair> = {
  table: ["content", "title", "user", "name", "before", "after", "sentence"],
  cells: ({ content, user, before, after, sentence }) => [
    contentKey(content.kind, content.id),
    content.title,
    user.id,
    user.displayName,
    heldText(before),
    heldText(after),
    sentence,
  ],
  csv: [
    ["kind", "content", "title", "path", "user", "name", "email", "guest", "change"],
    ["before", "before_reason", "after", "after_reason", "causes", ...DECISION],
  ].flat(),
  record: ({ content, path, user, direction, before, after, sentence }) =>
    [
      [content.kind, content.id, content.title, path.join(" / ")],
      [user.id, user.displayName, user.email ?? "", user.guest === true ? "yes" : "no", direction],
      [before?.role ?? "", before?.reason ?? "", after?.role ?? "", after?.reason ?? ""],
      [sentence, ...UNDECIDED],
    ].flat(),
  object: ({ content, path, user, direction, before, after, causes, sentence }) => ({
    content,
    path,
    user,
    change: direction,
    before: before ?? null,
    after: after ?? null,
    causes,
    sentence,
  }),
};

function heldText(held: Held | undefined): string {
  return held === undefined ? "none" : `${held.role} (${held.reason})`;
}

function allCauses(causes: readonly WordedCause[]): string {
  return causes.map(({ text }) => text).join("; ");
}

function fewCauses({ causes, more }: WordedContent): string {
  const rest = causes.length - CAUSES_IN_TABLE;
  const text = allCauses(causes.slice(0, CAUSES_IN_TABLE));
  return rest > 0 ? `${text}; and ${rest}${more ? " or more" : ""} others` : text;
}

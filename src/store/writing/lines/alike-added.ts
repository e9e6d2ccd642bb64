/** Finds ids that differ only in case from an id that a change adds. */
import { compareIds } from "../../../domain/order.ts";
import { type Dialect, type Staging, type Statement, statement } from "../../engine/engine.ts";
import { holds } from "../../schema/as-of.ts";
import type { AsOf } from "../../schema/reads-as-of.ts";
import { MEMBERS } from "../../schema/set-names.ts";
import type { RecordChange } from "../change/record-change.ts";
import { type AlikeIds, MOST_ALIKE } from "../generation/alike.ts";

type LikeRow = [wanted: string, id: string];

interface Kind {
  readonly kind: string;
  /** Finds stored ids that equal one of some ids except for their case. */
  readonly like: Statement<LikeRow>;
  /** The id of a changed record of this kind. */
  readonly idOf: (record: RecordChange) => string | undefined;
}

/** Sorts after every text with the same beginning. */
const LAST = "\u{10FFFF}";

/**
 * SQL: the ids in an index (`t`) that equal given ids except for the case of A to Z, as `spelt`. Tries both cases
 * letter by letter, and continues only beginnings that occur in the index. So it reads the index at a few places per
 * letter, and not from end to end.
 */
function spellings({ texts }: Dialect, table: string, column: string, condition: string): string {
  const letter = "substr(s.id, length(s.text) + 1, 1)";
  const longer = `s.text || CASE spelling.upper WHEN 0 THEN lower(${letter}) ELSE upper(${letter}) END`;
  return `
    WITH RECURSIVE spelt (id, text) AS (
      SELECT wanted.value, substr(wanted.value, 1, 0) FROM ${texts("$3", "wanted")}
      UNION
      SELECT s.id, ${longer} FROM spelt s CROSS JOIN (SELECT 0 AS upper UNION ALL SELECT 1) spelling
        WHERE length(s.text) < length(s.id) AND (
          SELECT t.${column} FROM ${table} t WHERE ${condition} AND t.${column} >= ${longer} ORDER BY t.${column} LIMIT 1
        ) < ${longer} || '${LAST}'
    ), found (wanted, id) AS (
      SELECT s.id, s.text FROM spelt s WHERE length(s.text) = length(s.id) AND s.text <> s.id
    )`;
}

/** For tables whose key is the id. */
function likeIn(table: string): Statement<LikeRow> {
  return statement(
    (dialect) => `
      ${spellings(dialect, table, "id", "t.generation = $1")}
      SELECT found.wanted, t.id FROM ${dialect.lookUp("found", table, "t", `${holds("t")} AND t.id = found.id`)}`,
  );
}

const LIKE_MEMBERS = statement<LikeRow>(
  (dialect) => `
    ${spellings(dialect, "place", "key", `t.generation = $1 AND t.universe = ${MEMBERS}`)}
    SELECT found.wanted, found.id FROM found CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = found.id
        AND ${holds("m")} AND m.position = p.position`,
);

const KINDS: readonly Kind[] = [
  {
    kind: "site",
    like: likeIn("site"),
    idOf: (record) => (record.kind === "site" ? record.site : undefined),
  },
  {
    kind: "space or collection",
    like: likeIn("content"),
    idOf: (record) => (record.kind === "content" ? record.content : undefined),
  },
  {
    kind: "team",
    like: likeIn("team"),
    idOf: (record) => (record.kind === "team" ? record.team : undefined),
  },
  {
    kind: "user",
    like: LIKE_MEMBERS,
    idOf: (record) => (record.kind === "member" ? record.member : undefined),
  },
];

/** The ids that a change adds, each with a stored or added id that people may confuse with it. */
export async function alikeToAdded(
  staging: Pick<Staging, "read">,
  { asOf }: Pick<AsOf, "asOf">,
  organization: string,
  records: readonly RecordChange[],
): Promise<AlikeIds[]> {
  const found: AlikeIds[] = [];
  for (const { kind, like, idOf } of KINDS) {
    const idsOf = (some: readonly RecordChange[]) => some.flatMap((record) => idOf(record) ?? []);
    const added = idsOf(records.filter(({ before }) => before === undefined));
    if (added.length === 0) continue;
    const groups = Map.groupBy(added, lower);
    const removed = new Set(idsOf(records.filter(({ after }) => after === undefined)));
    for (const [wanted, id] of await staging.read(like, ...asOf, added)) {
      if (!removed.has(id)) groups.get(lower(wanted))?.push(id);
    }
    for (const ids of groups.values()) {
      const [one = "", ...others] = [...new Set(ids)].sort(compareIds);
      const other = others.at(-1);
      if (other !== undefined) found.push({ organization, kind, one, other });
    }
  }
  return found.slice(0, MOST_ALIKE);
}

/** Compares only A to Z, as the databases do for an import. */
function lower(id: string): string {
  return id.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

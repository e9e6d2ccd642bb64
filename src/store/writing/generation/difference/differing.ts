/** Reads the staged differences. */
import { type Column, type Dialect, type Staging, statement } from "../../../engine/engine.ts";
import { type CountedKind, KINDS } from "./difference.ts";
import { isStored, storedOfMember } from "../stored.ts";

/** A record that differs, with titles and display names. */
export interface Difference {
  readonly organization: string;
  readonly kind: CountedKind;
  readonly member: string | undefined;
  readonly team: string | undefined;
  readonly content: string | undefined;
  readonly site: string | undefined;
  /**
   * The fields other than the key, before (`was`) and after (`becomes`) the import: a document, a title, a role or a
   * rank. `undefined` where the record does not exist.
   */
  readonly was: string | undefined;
  readonly becomes: string | undefined;
  /** The member's document. */
  readonly user: string | undefined;
  readonly teamTitle: string | undefined;
  readonly contentTitle: string | undefined;
  readonly siteTitle: string | undefined;
}

type Row = [organization: string, kind: number, number: number, ...rest: (string | null)[]];

const differences = (dialect: Dialect) => `
  SELECT d.organization, d.kind, d.number, d.member, d.team, d.content, d.site, d.was, d.becomes,
      coalesce(u.doc, (SELECT s.doc FROM ${storedOfMember(dialect, "member", "d.member")})), coalesce(t.title, tb.title), coalesce(c.title, cb.title), coalesce(w.title, wb.title)
    FROM staged_difference d JOIN staged_organization o ON o.id = d.organization
      LEFT JOIN staged_user u ON u.id = d.member
      LEFT JOIN staged_team t ON t.id = d.team LEFT JOIN ${dialect.stored("team")} tb ON ${isStored("tb")} AND tb.id = d.team
      LEFT JOIN staged_content c ON c.id = d.content
      LEFT JOIN ${dialect.stored("content")} cb ON ${isStored("cb")} AND cb.id = d.content
      LEFT JOIN staged_site w ON w.id = d.site LEFT JOIN ${dialect.stored("site")} wb ON ${isStored("wb")} AND wb.id = d.site`;

const PAGE = 1000;
const IN_TURN = statement<Row>(
  (dialect) => `${differences(dialect)}
    WHERE (d.organization, d.kind, d.number) > ($1, $2, $3) ORDER BY d.organization, d.kind, d.number LIMIT ${PAGE}`,
);

/** All records that differ, by organization and kind, in pages. */
export async function* differing(staging: Staging): AsyncGenerator<Difference[]> {
  let last: [string, number, number] = ["", -1, 0];
  for (;;) {
    const rows = await staging.read(IN_TURN, ...last);
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows.map(differenceOf);
    last = [end[0], end[1], end[2]];
  }
}

/** Returns a function that reads the first `limit` differing records of a kind that meet the SQL condition `how`. */
export function firstDiffering(kind: CountedKind, how: string, limit: number): FirstDiffering {
  const select = statement<Row>(
    (dialect) => `${differences(dialect)}
      WHERE d.organization = $1 AND d.kind = ${KINDS.indexOf(kind)} AND ${how} ORDER BY d.number LIMIT ${limit}`,
  );
  return async (staging, organization) => (await staging.read(select, organization)).map(differenceOf);
}

export type FirstDiffering = (staging: Staging, organization: string) => Promise<Difference[]>;

function differenceOf([organization, kind, , ...rest]: Row): Difference {
  const [member, team, content, site, was, becomes, user, teamTitle, contentTitle, siteTitle] = rest.map(
    (each: Column) => (typeof each === "string" ? each : undefined),
  );
  const name = KINDS[kind];
  if (name === undefined) throw new TypeError(`The staged differences hold the kind ${kind}.`);
  return {
    organization,
    kind: name,
    member,
    team,
    content,
    site,
    was,
    becomes,
    user,
    teamTitle,
    contentTitle,
    siteTitle,
  };
}

/** Finds ids that differ only in case from an id that a change adds. */
import { compareIds } from "../../../domain/order.ts";
import type { Staging, Statement } from "../../engine/engine.ts";
import type { AsOf } from "../../schema/reads-as-of.ts";
import type { RecordChange } from "../change/record-change.ts";
import { type AlikeIds, MOST_ALIKE } from "../generation/alike.ts";
import { type IdRow, STORED_IDS } from "./stored-ids.ts";

interface Kind {
  readonly kind: string;
  readonly rows: Statement<IdRow>;
  /** The id of a changed record of this kind. */
  readonly idOf: (record: RecordChange) => string | undefined;
}

const KINDS: readonly Kind[] = [
  {
    kind: "site",
    rows: STORED_IDS.site,
    idOf: (record) => (record.kind === "site" ? record.site : undefined),
  },
  {
    kind: "space or collection",
    rows: STORED_IDS.content,
    idOf: (record) => (record.kind === "content" ? record.content : undefined),
  },
  {
    kind: "team",
    rows: STORED_IDS.team,
    idOf: (record) => (record.kind === "team" ? record.team : undefined),
  },
  {
    kind: "user",
    rows: STORED_IDS.member,
    idOf: (record) => (record.kind === "member" ? record.member : undefined),
  },
];

/** Reads all ids of a kind, but only if the change adds one. */
export async function alikeToAdded(
  staging: Pick<Staging, "stream">,
  { asOf }: Pick<AsOf, "asOf">,
  organization: string,
  records: readonly RecordChange[],
): Promise<AlikeIds[]> {
  const found: AlikeIds[] = [];
  for (const { kind, rows, idOf } of KINDS) {
    const idsOf = (some: readonly RecordChange[]) => some.flatMap((record) => idOf(record) ?? []);
    const added = Map.groupBy(idsOf(records.filter(({ before }) => before === undefined)), lower);
    if (added.size === 0) continue;
    const removed = new Set(idsOf(records.filter(({ after }) => after === undefined)));
    for await (const [id] of staging.stream(rows, ...asOf)) {
      if (!removed.has(id)) added.get(lower(id))?.push(id);
    }
    for (const ids of added.values()) {
      const [one = "", ...others] = ids.toSorted(compareIds);
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

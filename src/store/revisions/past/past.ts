/** Looks up revisions that are no longer current but still readable. */
import { type Engine, statement } from "../../engine/engine.ts";
import type { Revision } from "../../reading.ts";
import type { Organization } from "../organizations/organization.ts";
import { REVISION_COLUMNS, type RevisionRow, revisionOf } from "./row.ts";

export interface PastRevision extends Revision {
  /** When the next revision became current (ISO 8601, UTC). */
  readonly replacedAt: string;
}

/** The maximum number of cached revisions of an organization, and of its cached times. */
const REMEMBERED = 1000;

const READABLE = `
  SELECT ${REVISION_COLUMNS} FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest`;

/** A revision, and the one that replaced it. */
const BY_NUMBER = statement<RevisionRow>(
  () => `${READABLE} WHERE o.id = $1 AND r.revision >= $2 ORDER BY r.revision LIMIT 2`,
);
const IN_FORCE = statement<[revision: number]>(
  () => `
    SELECT r.revision FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE o.id = $1 AND r.imported_at <= $2 ORDER BY r.imported_at DESC LIMIT 1`,
);

interface Remembered {
  readonly revisions: Map<number, PastRevision>;
  readonly inForce: Map<string, number>;
}

/** Looks up past revisions, and caches them until the organization changes. */
export class Past {
  readonly #engine: Pick<Engine, "readFresh">;
  readonly #remembered = new WeakMap<Organization, Remembered>();

  constructor(engine: Pick<Engine, "readFresh">) {
    this.#engine = engine;
  }

  /** The revision with this number; `undefined` unless it was replaced and is readable. */
  async byNumber(organization: Organization, number: number): Promise<PastRevision | undefined> {
    const { current, earliest } = organization;
    if (number < earliest || number >= current.revision) return undefined;
    const { revisions } = this.#of(organization);
    const known = revisions.get(number);
    if (known !== undefined) return known;
    const [row, next] = await this.#engine.readFresh(BY_NUMBER, current.organization, number);
    if (row?.[0] !== number || next === undefined) return undefined;
    const past = { ...revisionOf(row, current.history), replacedAt: next[4] };
    remember(revisions, number, past);
    return past;
  }

  /** The revision that was current at a time (ISO 8601, UTC); `undefined` before the earliest readable one. */
  async inForce(organization: Organization, time: string): Promise<Revision | undefined> {
    const { current } = organization;
    if (time >= current.importedAt) return current;
    const { inForce } = this.#of(organization);
    let number = inForce.get(time);
    if (number === undefined) {
      const [row] = await this.#engine.readFresh(IN_FORCE, current.organization, time);
      if (row === undefined) return undefined;
      number = row[0];
      remember(inForce, time, number);
    }
    return this.byNumber(organization, number);
  }

  #of(organization: Organization): Remembered {
    let remembered = this.#remembered.get(organization);
    if (remembered === undefined) {
      remembered = { revisions: new Map(), inForce: new Map() };
      this.#remembered.set(organization, remembered);
    }
    return remembered;
  }
}

function remember<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): void {
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, value);
}

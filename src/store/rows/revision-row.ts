/** What belongs to a revision beside its rows: how much a load allocates, a checksum of the records, an identity. */
import { randomUUID } from "node:crypto";
import type { RecordChange } from "../../domain/record-change.ts";
import { Checksum } from "../../model/checksum.ts";
import { type Connection, statement } from "../engine/engine.ts";
import type { Place } from "./tables.ts";

/** How many there are of what a model has arrays of, how many bytes their texts have, and the next numbers. */
export interface Sizes {
  members: number;
  memberBytes: number;
  profileBytes: number;
  memberships: number;
  /** On contents and on sites. */
  permissions: number;
  contents: number;
  contentBytes: number;
  documentBytes: number;
  /** On contents. */
  teamPermissions: number;
  /** The stored numbers that the next new team, and the next new content or site, get. No number is given twice. */
  nextTeam: number;
  nextContent: number;
}

const EMPTY: Sizes = {
  members: 0,
  memberBytes: 0,
  profileBytes: 0,
  memberships: 0,
  permissions: 0,
  contents: 0,
  contentBytes: 0,
  documentBytes: 0,
  teamPermissions: 0,
  nextTeam: 1,
  nextContent: 1,
};

const ADDED = [
  "members",
  "memberBytes",
  "profileBytes",
  "memberships",
  "permissions",
  "contents",
  "contentBytes",
  "documentBytes",
  "teamPermissions",
] as const;
const NEXT = ["nextTeam", "nextContent"] as const;

/** The sizes and the checksum of a revision; those of an organization without a record at first. */
export class Totals {
  readonly sizes: Sizes;
  readonly checksum: Checksum;

  constructor(sizes: Readonly<Sizes> = EMPTY, checksum = new Checksum()) {
    this.sizes = { ...sizes };
    this.checksum = checksum;
  }

  /** Whether these are totals of the same records. The next numbers may be others. */
  equals({ sizes, checksum }: Totals): boolean {
    const isSame = this.checksum.toString() === checksum.toString();
    return isSame && ADDED.every((size) => this.sizes[size] === sizes[size]);
  }

  /** Counts what another one counts, too. */
  add({ sizes, checksum }: Totals): void {
    this.checksum.addAll(checksum);
    for (const size of ADDED) this.sizes[size] += sizes[size];
    for (const next of NEXT) this.sizes[next] = Math.max(this.sizes[next], sizes[next]);
  }

  /** Counts changed records, but gives no numbers. */
  change(changes: readonly RecordChange[]): void {
    this.checksum.change(changes);
    for (const { kind, member, team, content, site, was, becomes } of changes) {
      const { sizes } = this;
      const more = Number(becomes !== undefined) - Number(was !== undefined);
      const moreBytes = bytesOf(becomes) - bytesOf(was);
      if (kind === "member") {
        sizes.members += more;
        sizes.memberBytes += more * bytesOf(member);
      } else if (kind === "user") sizes.profileBytes += moreBytes;
      else if (kind === "teamMember") sizes.memberships += more;
      else if (kind === "permission" && team === undefined) sizes.permissions += more;
      else if (kind === "permission" && site === undefined) sizes.teamPermissions += more;
      else if (kind === "collection" || kind === "space") {
        sizes.contents += more;
        sizes.contentBytes += more * bytesOf(content);
        sizes.documentBytes += moreBytes;
      }
    }
  }
}

function bytesOf(text = ""): number {
  return Buffer.byteLength(text);
}

/** What a revision has beside its rows. */
export interface RevisionRow {
  readonly identity: string;
  readonly checksum: string;
  readonly sizes: Readonly<Sizes>;
}

const ROW = statement<[identity: string, checksum: string, sizes: string]>(
  () => "SELECT identity, checksum, sizes FROM revision_row WHERE generation = $1 AND revision = $2",
);
const ADD = statement<never>(
  () => `
    INSERT INTO revision_row (generation, revision, identity, checksum, sizes) VALUES ($1, $2, $3, $4, $5)`,
);

/** `undefined` if the rows of the revision are not visible (yet, or any longer). */
export async function revisionRow(
  connection: Pick<Connection, "read">,
  { generation, revision }: Place,
): Promise<RevisionRow | undefined> {
  const [row] = await connection.read(ROW, generation, revision);
  if (row === undefined) return undefined;
  const [identity, checksum, sizes] = row;
  return { identity, checksum, sizes: JSON.parse(sizes) };
}

/** Adds it, with a new identity. Call it in the transaction that publishes the revision. */
export async function addRevisionRow(
  connection: Connection,
  { generation, revision }: Place,
  { sizes, checksum }: Totals,
): Promise<void> {
  await connection.write(ADD, generation, revision, randomUUID(), checksum.toString(), JSON.stringify(sizes));
}

import { afterAll, beforeAll } from "vitest";
import { CommandError } from "../../../src/domain/error.ts";
import { type SnapshotRecord, toLines } from "../../oracle/records.ts";
import { compareAll } from "../../store/listings/listings.ts";
import { sqlitePlace, World } from "../../world.ts";

const DATE = "2025-01-01T00:00:00Z";

/** Two organizations, `o` and `p`, with every kind of record, in one import. */
export const BASE: readonly SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  { object: "organization", id: "p", title: "P" },
  { object: "user", id: "ana", displayName: "Ana" },
  { object: "user", id: "ben", displayName: "Ben" },
  { object: "user", id: "eve", displayName: "Eve" },
  { object: "member", organization: "o", user: "ana", role: "admin" },
  { object: "member", organization: "o", user: "ben", role: null },
  { object: "member", organization: "p", user: "eve", role: "read" },
  { object: "team", id: "t", organization: "o", title: "T", createdAt: DATE },
  { object: "team", id: "tp", organization: "p", title: "TP", createdAt: DATE },
  { object: "teamMember", team: "t", user: "ana", role: "owner" },
  { object: "collection", id: "c", organization: "o", title: "C" },
  { object: "collection", id: "cp", organization: "p", title: "CP" },
  { object: "space", id: "s", organization: "o", title: "S", parent: "c", createdAt: DATE, updatedAt: DATE },
  { object: "space", id: "sp", organization: "p", title: "SP", createdAt: DATE, updatedAt: DATE },
  { object: "site", id: "w", organization: "o", title: "W" },
  { object: "siteSpace", site: "w", space: "s" },
  { object: "permission", space: "s", user: "ben", permission: "edit" },
  { object: "permission", space: "s", team: "t", permission: "read" },
  { object: "permission", collection: "c", user: "ben", permission: "review" },
  { object: "permission", collection: "c", team: "t", permission: "comment" },
];

/** A world with {@link BASE}, which must refuse further files. */
export class Refusing {
  readonly world: World;
  readonly #revisions: string;

  private constructor(world: World, revisions: string) {
    this.world = world;
    this.#revisions = revisions;
  }

  static async open(): Promise<Refusing> {
    const world = await World.open(sqlitePlace);
    await world.import(BASE);
    return new Refusing(world, await revisionsOf(world));
  }

  /**
   * Imports a file. Returns the message with which it is refused. Throws if it is not refused, or if anything changed.
   */
  async refusal(bytes: string | Buffer, name = "wrong.ndjson"): Promise<string> {
    const { importFiles } = await import("../../../src/snapshot/import.ts");
    const file = this.world.file(bytes, name);
    try {
      await importFiles(this.world.store.engine, [file], { allowRemovals: true });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if ((await revisionsOf(this.world)) !== this.#revisions)
        throw new Error("something was changed", { cause: error });
      return error.message.replaceAll(file, name);
    }
    throw new Error("it was imported");
  }

  /** Imports a file into a new world and returns that world. */
  static async accepting(bytes: string | Buffer): Promise<World> {
    const { importFiles } = await import("../../../src/snapshot/import.ts");
    const world = await World.open(sqlitePlace);
    await importFiles(world.store.engine, [world.file(bytes)], {});
    return world;
  }

  /** Checks that no list has changed. */
  unchanged(): Promise<void> {
    return compareAll(this.world, BASE, [1000]);
  }

  close(): Promise<void> {
    return this.world.close();
  }
}

async function revisionsOf({ store }: World): Promise<string> {
  const found = await Promise.all(["o", "p"].map((id) => store.registry.organization(id)));
  return JSON.stringify(
    found.map((organization) => [organization?.current.revision, organization?.earliest]),
  );
}

/** {@link BASE} as lines, with further lines at the end. */
export function withLines(...lines: readonly string[]): string {
  return `${toLines(BASE)}${lines.map((line) => `${line}\n`).join("")}`;
}

/** The number of the first added line. */
export const ADDED = BASE.length + 1;

/** One for all tests of the calling file. Fails after the last test if any test changed something. */
export function useRefusing(): { readonly current: Refusing } {
  let refusing: Refusing | undefined;
  beforeAll(async () => {
    refusing = await Refusing.open();
  });
  afterAll(async () => {
    await refusing?.unchanged();
    await refusing?.close();
  });
  return {
    get current() {
      if (refusing === undefined) throw new Error("It is open only while the tests run.");
      return refusing;
    },
  };
}

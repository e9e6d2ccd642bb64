import { tmpdir } from "node:os";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentKey, idOf } from "../../../src/domain/content.ts";
import { abilitiesText } from "../../../src/domain/document.ts";
import { memberOf } from "../../../src/store/directory/members.ts";
import type { Access } from "../../../src/store/listings/access.ts";
import {
  accessGivenOn,
  accessOf,
  accessOnContent,
  accessOnSite,
} from "../../../src/store/listings/subject.ts";
import { type SentHit, sentPage } from "../../../src/store/listings/walk.ts";
import { Documents } from "../../../src/store/memory/documents.ts";
import type { Reading, Revision } from "../../../src/store/reading.ts";
import { SPACES } from "../../../src/store/schema/set-names.ts";
import { organizationIds } from "../../oracle/facts.ts";
import type { Listing } from "../../oracle/listing.ts";
import { oracle } from "../../oracle/oracle.ts";
import { histories } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, PUBLIC_URL, World } from "../../world.ts";

interface Stage {
  readonly records: readonly SnapshotRecord[];
  readonly revision: number;
}

/**
 * Compares pages that are painted from memory with the oracle's lists: after each import of about `runs` random
 * histories, at the new revision and at those before. Memory holds everything, little or nothing; documents are in a file
 * or not.
 */
export function exercisePainted(open: OpenPlace, runs: number, step: number): void {
  test("every painted list equals the oracle's, at every revision of a history", async () => {
    await fc.assert(
      fc.asyncProperty(
        histories({ maxOrganizations: 1, minMembers: 2, minContents: 3 }, 4),
        fc.constantFrom([1, 2], [3], [1000]),
        fc.record({
          cacheBytes: fc.constantFrom(0, 40_000, 8 << 20),
          isInFile: fc.boolean(),
          isChange: fc.boolean(),
        }),
        async (history, sizes, { cacheBytes, isInFile, isChange }) => {
          const world = await World.open(open, { cacheBytes });
          const documents = new Documents(isInFile ? tmpdir() : undefined);
          const asked = { world, documents, sizes, step };
          try {
            const stages: Stage[] = [];
            for (const records of history) {
              const changeLimit = () => (isChange ? Number.MAX_SAFE_INTEGER : 0);
              await world.import(records, { allowRemovals: true, allowEmpty: true, changeLimit });
              const [id = ""] = organizationIds(records);
              const { revision } = await revisionOf(world, id);
              if (revision !== stages.at(-1)?.revision) stages.push({ records, revision });
              for (const stage of stages.toReversed()) {
                const at = await revisionOf(world, id, stage.revision);
                await compare(at, stage.records, {
                  ...asked,
                  step: at.revision === revision ? step : 3 * step,
                });
              }
            }
          } finally {
            documents.replace();
            await world.close();
          }
        },
      ),
      { numRuns: runs },
    );
  });
}

/** An organization at a revision, or at the current one. */
async function revisionOf({ store }: World, id: string, number?: number): Promise<Revision> {
  const organization = await store.registry.organization(id);
  if (organization === undefined) throw new Error(`There is no organization ${id}.`);
  if (number === undefined || number === organization.current.revision) return organization.current;
  const past = await store.registry.past.byNumber(organization, number);
  if (past === undefined) throw new Error(`Revision ${number} is not kept.`);
  return past;
}

interface Asked {
  readonly world: World;
  readonly documents: Documents;
  readonly sizes: readonly number[];
  /** Every `step`-th listing is compared; of past revisions, a third of those. */
  readonly step: number;
}

async function compare(at: Revision, records: readonly SnapshotRecord[], asked: Asked): Promise<void> {
  const expected = oracle(records, { publicUrl: PUBLIC_URL });
  const { organization: id, revision } = at;
  for (const listing of expected.listings(id).filter((_, index) => index % asked.step === 0)) {
    const reading = asked.world.store.reading(at);
    const items = await walk(reading, listing, asked);
    if (items === undefined) continue;
    const text = `${expected.path(id, listing)} at ${revision}`;
    expect(items, text).toEqual(expected.list(id, listing));
  }
}

/** The items of a painted list; `undefined` for lists that are not painted. */
async function walk(
  reading: Reading,
  listing: Listing,
  { documents, sizes }: Asked,
): Promise<unknown[] | undefined> {
  const items: unknown[] = [];
  let after: string | undefined;
  for (let index = 0; ; index++) {
    if (index > 200) throw new Error(`${JSON.stringify(listing)} does not end; after ${after}`);
    const access = await accessTo(reading, listing);
    if (access === undefined) return undefined;
    const limit = sizes[index % sizes.length] ?? 1000;
    const role = "role" in listing ? listing.role : undefined;
    const order = listing.endpoint === 7 ? (listing.order ?? "desc") : "asc";
    const sending = { documents, publicUrl: PUBLIC_URL };
    const page = await sentPage(reading, access, { after, limit, order, role }, sending);
    items.push(
      ...page.entries.map((hit) => itemOf(access, listing.endpoint === 8, hit, reading.at.organization)),
    );
    if (page.next === undefined) return items;
    expect(page.entries).toHaveLength(limit);
    after = page.next;
  }
}

async function accessTo(reading: Reading, listing: Listing): Promise<Access | undefined> {
  switch (listing.endpoint) {
    case 1:
      return accessGivenOn(reading, contentKey("space", listing.space));
    case 5:
      return accessGivenOn(reading, contentKey("collection", listing.collection));
    case 3:
      return accessOnContent(reading, contentKey("space", listing.space));
    case 6:
      return accessOnContent(reading, contentKey("collection", listing.collection));
    case 7: {
      const member = await memberOf(reading, listing.user);
      return member && accessOf(reading, member);
    }
    case 8:
      return accessOnSite(reading, listing.site);
    default:
      return undefined;
  }
}

function itemOf(
  access: Access,
  isOfSite: boolean,
  { role, document, code, subject }: SentHit,
  organization: string,
): unknown {
  const space = access.universe === SPACES;
  const bytes = document.begin + (space ? abilitiesText(role) : "") + document.end;
  const sent: unknown = JSON.parse(Buffer.from(bytes, "latin1").toString());
  if (space) return { permission: role, space: sent };
  if (!isOfSite) return { permission: role, user: sent };
  const rule = access.decisionOf(code)?.rule;
  const isOrganization = rule === "admin" || rule === "organization";
  const origin = {
    type: isOrganization ? "organization" : "space",
    space: idOf(access.subjects[subject] ?? "space/"),
  };
  return { permission: role, user: sent, origin: isOrganization ? { ...origin, organization } : origin };
}

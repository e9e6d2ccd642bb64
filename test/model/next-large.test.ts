/** The next model of an organization of hundreds of members, after many changes of every kind at once. */
import { test } from "vitest";
import { next } from "../../src/model/next.ts";
import type { Model } from "../../src/model/model.ts";
import type { Facts } from "../oracle/facts.ts";
import { randomOf } from "../oracle/random/values.ts";
import {
  type CollectionRecord,
  type ContentPermission,
  type Role,
  ROLES,
  type SpaceRecord,
  type TeamMemberRecord,
} from "../oracle/records.ts";
import { SEED } from "../setup/seed.ts";
import { answers, done, expectEqual, expectSameAnswers } from "./expect-equal.ts";
import { changesBetween, modelOf, undone } from "./model-of.ts";

const MEMBERS = 700;

/** Records by their names, so that they can come, change and go. */
class Organization {
  readonly #random: () => number;
  #made = 0;
  readonly #members = new Map<string, { role: Role | null; name: string }>();
  readonly #teams = new Map<string, string>();
  readonly #memberships = new Map<string, TeamMemberRecord>();
  readonly #contents = new Map<string, CollectionRecord | SpaceRecord>();
  readonly #permissions = new Map<string, ContentPermission>();
  readonly #sites = new Map<string, Set<string>>();

  constructor(seed: number) {
    this.#random = randomOf(seed);
    for (let i = 0; i < 30; i++) this.#teams.set(this.#id(), "team");
    for (let i = 0; i < 40; i++) this.#addContent();
    for (let i = 0; i < 3; i++) this.#sites.set(this.#id(), new Set());
    for (let i = 0; i < MEMBERS; i++) this.#addMember();
    for (let i = 0; i < 2000; i++) this.#relate();
    for (let i = 0; i < 60; i++) this.#link();
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }
  #one<T>(things: Iterable<T>): T {
    const all = [...things];
    const found = all[this.#below(all.length)];
    if (found === undefined) throw new Error("There is nothing to choose from.");
    return found;
  }
  #id(): string {
    return `${this.#below(36 ** 3).toString(36)}-${this.#made++}`;
  }
  #role(): Role {
    return this.#one(ROLES);
  }

  #addMember(): void {
    this.#members.set(`${this.#one(["", "\u{1F600}", "\uFF61", "z"])}${this.#id()}`, {
      role: this.#below(3) === 0 ? null : this.#role(),
      name: "x".repeat(this.#below(20)),
    });
  }
  #addContent(): void {
    const id = this.#id();
    const collections = [...this.#contents.values()].filter(({ object }) => object === "collection");
    const common = {
      id,
      organization: "large",
      title: "",
      ...(collections.length > 0 && this.#below(4) > 0 && { parent: this.#one(collections).id }),
      ...(this.#below(3) === 0 && { defaultLevel: this.#below(2) === 0 ? null : this.#role() }),
    };
    const date = new Date(this.#below(1000) * 1e9).toISOString();
    if (this.#below(3) === 0) this.#contents.set(`collection ${id}`, { object: "collection", ...common });
    else this.#contents.set(`space ${id}`, { object: "space", ...common, createdAt: date, updatedAt: date });
  }
  #relate(): void {
    const [user, team] = [this.#one(this.#members.keys()), this.#one(this.#teams.keys())];
    this.#memberships.set(`${team} ${user}`, {
      object: "teamMember",
      team,
      user,
      role: this.#below(5) === 0 ? "owner" : "member",
    });
    const content = this.#one(this.#contents.values());
    const on = content.object === "space" ? { space: content.id } : { collection: content.id };
    const to = this.#below(3) === 0 ? { team } : { user };
    const permission = this.#role();
    this.#permissions.set(JSON.stringify([on, to]), { object: "permission", ...on, ...to, permission });
  }
  #link(): void {
    const spaces = [...this.#contents.values()].filter(({ object }) => object === "space");
    const linked = this.#sites.get(this.#one(this.#sites.keys()));
    const { id } = this.#one(spaces);
    if (linked?.delete(id) === false) linked.add(id);
  }
  #removeMember(): void {
    const user = this.#one(this.#members.keys());
    this.#members.delete(user);
    this.#forget((record) => "user" in record && record.user === user);
  }
  #removeTeam(): void {
    // What follows chooses from the teams that are left.
    if (this.#teams.size === 1) return;
    const team = this.#one(this.#teams.keys());
    this.#teams.delete(team);
    this.#forget((record) => record.team === team);
  }
  #removeContent(): void {
    const { object, id } = this.#one(this.#contents.values());
    const kept = [...this.#contents.values()].filter((each) => each.id !== id);
    if (object === "collection" && kept.some(({ parent }) => parent === id)) return;
    if (!kept.some((each) => each.object === "space")) return;
    this.#contents.delete(`${object} ${id}`);
    this.#forget((record) => record.object === "permission" && record[object] === id);
    if (object === "space") for (const linked of this.#sites.values()) linked.delete(id);
  }
  #forget(names: (record: ContentPermission | TeamMemberRecord) => boolean): void {
    for (const records of [this.#memberships, this.#permissions])
      for (const [key, record] of records) if (names(record)) records.delete(key);
  }
  #moveContent(): void {
    const [key, content] = this.#one(this.#contents);
    // Below a collection that came earlier, so that none is inside itself.
    const all = [...this.#contents.values()];
    const earlier = all.slice(0, all.indexOf(content)).filter(({ object }) => object === "collection");
    const { parent: _, ...rest } = content;
    const at = this.#below(earlier.length + 1);
    const parent = earlier[at]?.id;
    this.#contents.set(key, parent === undefined ? rest : { ...rest, parent });
  }

  /** Some changes of some kinds. */
  change(): void {
    const member = () => {
      const id = this.#one(this.#members.keys());
      const { role, name } = this.#members.get(id) ?? { role: null, name: "" };
      this.#members.set(id, this.#below(2) === 0 ? { role: this.#role(), name } : { role, name: `${name}+` });
    };
    const content = () => {
      const [key, record] = this.#one(this.#contents);
      this.#contents.set(key, { ...record, title: `${record.title}+`, defaultLevel: this.#role() });
    };
    const ways: (() => void)[] = [
      member,
      content,
      () => this.#addMember(),
      () => this.#removeMember(),
      () => this.#addContent(),
      () => this.#removeContent(),
      () => this.#moveContent(),
      () => this.#relate(),
      () => this.#forget(() => this.#below(500) === 0),
      () => this.#link(),
      () => void this.#teams.set(this.#id(), "new"),
      () => void this.#teams.set(this.#one(this.#teams.keys()), `${this.#below(9)}`),
      () => this.#removeTeam(),
      () => void this.#sites.set(this.#id(), new Set()),
    ];
    const chosen = ways.filter(() => this.#below(4) === 0);
    for (const way of chosen) for (let times = 1 + this.#below(20); times > 0; times--) way();
  }

  facts(): Facts {
    const permissions = Map.groupBy(this.#permissions.values(), ({ space, collection }) =>
      space === undefined ? `collection ${collection}` : `space ${space}`,
    );
    const contents = [...this.#contents.values()];
    return {
      organization: "large",
      title: "",
      users: new Map(
        Array.from(this.#members, ([id, { name }]) => [id, { object: "user", id, displayName: name }]),
      ),
      members: new Map(Array.from(this.#members, ([id, { role }]) => [id, role])),
      teams: new Map(
        Array.from(this.#teams, ([id, title]) => [
          id,
          { object: "team", id, organization: "large", title, createdAt: "2026-01-01T00:00:00.000Z" },
        ]),
      ),
      teamMembers: [...this.#memberships.values()],
      collections: new Map(
        contents.flatMap((record) => (record.object === "collection" ? [[record.id, record]] : [])),
      ),
      spaces: new Map(contents.flatMap((record) => (record.object === "space" ? [[record.id, record]] : []))),
      sites: new Map(Array.from(this.#sites, ([id, spaces]) => [id, [...spaces]])),
      siteRecords: new Map(
        Array.from(this.#sites.keys(), (id) => [
          id,
          { object: "site", id, organization: "large", title: id },
        ]),
      ),
      permissionsOn: ({ kind, id }) => permissions.get(`${kind} ${id}`) ?? [],
      permissionsOnSite: () => [],
    };
  }
}

test.each([1, 2].map((n) => n * (SEED ?? Date.now())))("chains of changes, seed %i", (seed) => {
  const organization = new Organization(seed);
  let facts = organization.facts();
  let model = modelOf(facts);
  const some = ({ members }: Model) => Array.from({ length: members.count / 50 }, (_, at) => 50 * at);
  for (let step = 0; step < 6; step++) {
    organization.change();
    const after = organization.facts();
    const changes = changesBetween(facts, after);
    answers(model, some(model));
    const expected = modelOf(after);
    const following = done(next(model, changes));
    expectEqual(following, expected);
    expectSameAnswers(following, expected, some(expected));
    expectEqual(done(next(following, undone(changes))), model);
    [facts, model] = [after, following];
  }
});

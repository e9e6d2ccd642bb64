/**
 * Proposes further steps for rows that were decided `remove` and whose user keeps a role. Says what effect each step
 * has.
 */
import { decide } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import { type Effect, effectText } from "../../domain/difference.ts";
import { plain } from "../../domain/reason.ts";
import { counted } from "../../domain/text.ts";
import { type Without, writeWithout } from "../../domain/without.ts";
import { chains } from "../../store/directory/ancestors.ts";
import { ladderOf } from "../../store/directory/inheritance.ts";
import type { Member } from "../../store/directory/members.ts";
import { personOf } from "../../store/directory/person.ts";
import { AccessDifference } from "../../store/listings/difference.ts";
import { accessOnLadders } from "../../store/listings/subject.ts";
import { peopleWithout } from "../../store/listings/without/people.ts";
import { peopleWithoutAll } from "../../store/listings/without/together.ts";
import type { LeftOut } from "../../store/listings/palette.ts";
import { sourceOf } from "../../store/listings/without/source.ts";
import type { Reading } from "../../store/reading.ts";
import type { ContentTree } from "../../store/revisions/diff/users/content-tree.ts";
import { teamNodes } from "../../store/directory/teams.ts";

/** A step that the operator must decide on, because it may affect more than the role in the row. */
export interface Proposal {
  /** "take away team Docs’s review on collection Handbook". */
  readonly step: string;
  /** How many people the step alone affects, in words. */
  readonly effect: string;
  /** The arguments of `rolebook why` that show more; absent if it cannot show this step. */
  readonly why?: readonly string[];
}

/** Makes the proposals for one report. The effect of a step is counted once, also if several rows need the step. */
export class Proposals {
  readonly #reading: Reading;
  readonly #tree: ContentTree;
  readonly #effects = new Map<string, Promise<string>>();
  /** The proposed steps that affect other people too, for {@link together}. */
  readonly #grants = new Map<ContentKey, Set<string>>();
  readonly #closed = new Set<ContentKey>();

  constructor(reading: Reading, tree: ContentTree) {
    this.#reading = reading;
    this.#tree = tree;
  }

  /** The steps that leave the member without a role on the content, if they are taken one after the other. */
  async for(member: Member, content: ContentKey): Promise<Proposal[]> {
    const loaded = await chains(this.#reading, [content]);
    const start = loaded.get(content);
    if (start === undefined) return [];
    const ladder = ladderOf(start, loaded);
    const proposals: Proposal[] = [];
    for (let subject = member; ;) {
      const decision = decide(ladder, subject);
      if (decision === undefined) return proposals;
      const { rule, level, team } = decision;
      if (rule === "direct" && level !== undefined) {
        proposals.push(await this.#direct(member, level.content));
        const others = [...subject.direct].filter(([key]) => key !== level.content);
        subject = { ...subject, direct: new Map(others) };
      } else if (rule === "team" && level !== undefined && team !== undefined) {
        proposals.push(await this.#leaving(member, team, content));
        proposals.push(await this.#grant(team, level.content));
        subject = { ...subject, teams: subject.teams.filter((each) => each !== team) };
      } else {
        proposals.push(rule === "admin" ? adminProposal(member) : await this.#closing(content));
        return proposals;
      }
    }
  }

  /**
   * The effect of all proposed team grants and default levels together, when the direct permissions in `gone` are
   * removed already; `undefined` if fewer than two steps were proposed.
   */
  async together(gone: LeftOut): Promise<Proposal | undefined> {
    const grants = [...this.#grants.values()].reduce((sum, teams) => sum + teams.size, 0);
    const closed = this.#closed.size;
    if (grants + closed < 2) return undefined;
    const steps = [
      ...(grants === 0 ? [] : [`take away ${counted(grants, "permission")} of teams`]),
      ...(closed === 0 ? [] : [`close ${counted(closed, "content")}`]),
    ];
    const effect = await peopleWithoutAll(
      this.#reading,
      { grants: this.#grants, closed: this.#closed },
      gone,
    );
    return { step: `${steps.join(" and ")}, as proposed`, effect: effectText(effect) };
  }

  async #direct(member: Member, content: ContentKey): Promise<Proposal> {
    const without: Without = { of: "user", user: member.id, content };
    const direct = new Map([...member.direct].filter(([key]) => key !== content));
    return {
      step: `take away ${await this.#named(without)}`,
      effect: this.#onOne(member, { ...member, direct }),
      why: ["--without", writeWithout(without)],
    };
  }

  async #leaving(member: Member, team: string, content: ContentKey): Promise<Proposal> {
    const title = (await teamNodes(this.#reading, [team])).get(team)?.title ?? team;
    const teams = member.teams.filter((each) => each !== team);
    return {
      step: `remove ${personOf(member).displayName} from team ${title}`,
      effect: this.#onOne(member, { ...member, teams }),
      why: [member.id, content, "--without", writeWithout({ of: "team", team })],
    };
  }

  async #grant(team: string, content: ContentKey): Promise<Proposal> {
    const without: Without = { of: "grant", team, content };
    const spelt = writeWithout(without);
    const teams = this.#grants.get(content) ?? new Set();
    this.#grants.set(content, teams.add(team));
    const effect = this.#once(spelt, async () => {
      const { counts } = await peopleWithout(this.#reading, without, 0, Number.POSITIVE_INFINITY);
      return counts;
    });
    return {
      step: `take away ${await this.#named(without)}`,
      effect: await effect,
      why: ["--without", spelt],
    };
  }

  async #closing(content: ContentKey): Promise<Proposal> {
    this.#closed.add(content);
    const effect = this.#once(`close ${content}`, async () => {
      const reading = this.#reading;
      const loaded = await chains(reading, [content]);
      const start = loaded.get(content);
      if (start === undefined) throw new Error(`${content} is not in the revision.`);
      const closed = ladderOf({ ...start, defaultLevel: null }, loaded);
      const before = await accessOnLadders(reading, [ladderOf(start, loaded)]);
      const after = await accessOnLadders(reading, [closed]);
      return new AccessDifference({ reading, access: before }, { reading, access: after }).counts();
    });
    return {
      step: `close ${content} by the default level null, and give those who need it a permission`,
      effect: await effect,
    };
  }

  /** What changes if only one member is affected, in words. */
  #onOne(member: Member, then: Member): string {
    const [had, has] = [this.#tree.ranksOf(member), this.#tree.ranksOf(then)];
    const contents = had.reduce((sum, rank, number) => sum + (rank === has[number] ? 0 : 1), 0);
    const where = counted(contents, "content");
    return `nobody else’s role changes; ${personOf(member).displayName}’s changes on ${where}`;
  }

  async #named(without: Without): Promise<string> {
    const source = await sourceOf(this.#reading, without);
    return source === undefined ? writeWithout(without) : plain(source.phrase);
  }

  #once(key: string, count: () => Promise<Effect>): Promise<string> {
    const known = this.#effects.get(key) ?? count().then(effectText);
    this.#effects.set(key, known);
    return known;
  }
}

function adminProposal(member: Member): Proposal {
  return {
    step: `give ${personOf(member).displayName} another organization role than admin`,
    effect: "nobody else’s role changes; an organization admin has admin on every content",
  };
}

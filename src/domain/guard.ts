/**
 * The guard against imports and changes that no one meant (contract, section 8). A file that was cut at the end of a
 * line looks valid, and so does one whose producer lost a table. Counts go in, a verdict comes out: nothing here knows
 * where they were counted.
 */
import { oneLine } from "./text/one-line.ts";

/** How much of something would go, rise or open: so many of those that were there before. */
export interface Portion {
  readonly affected: number;
  readonly of: number;
}

/** What is looked at, in the order in which a refusal names it. */
export const RISKS = [
  "member",
  "team",
  "teamMember",
  "permission",
  "admin",
  "formerGuest",
  "openedContent",
] as const;

export type Risk = (typeof RISKS)[number];

/** What would happen to one organization. */
export interface Prospect {
  readonly organization: string;
  readonly title: string;
  /** Whether the database does not have it yet. */
  readonly first: boolean;
  /** How many members it would have. */
  readonly members: number;
  readonly portions: Readonly<Record<Risk, Portion>>;
}

/** What somebody said that they mean. */
export interface Meant {
  /** Large removals, rises and openings. */
  readonly removals?: boolean | undefined;
  /** A first import without any member. */
  readonly empty?: boolean | undefined;
}

/** What is refused of one organization; nothing, if `risks` is empty and `empty` is false. */
export interface Verdict {
  readonly risks: readonly Risk[];
  readonly empty: boolean;
}

interface Rule {
  /** How many may be affected, whatever part of all that is. */
  readonly few: number;
  /** From so many on, all of them are too many even where they are few. */
  readonly whole: number;
  /** What the affected ones are called, one and several, and what would become of them. */
  readonly words: readonly [one: string, several: string, fate: string];
}

/** Whatever is at most a fifth may happen. */
const FIFTH = 5;

const GOING = { few: 10, whole: 3 };
const RISING = { few: 2, whole: Number.POSITIVE_INFINITY };
const OPENING = { few: 1, whole: Number.POSITIVE_INFINITY };

const RULES: Readonly<Record<Risk, Rule>> = {
  member: { ...GOING, words: ["member", "members", "would go"] },
  team: { ...GOING, words: ["team", "teams", "would go"] },
  teamMember: { ...GOING, words: ["team membership", "team memberships", "would go"] },
  permission: { ...GOING, words: ["permission", "permissions", "would go"] },
  admin: { ...RISING, words: ["member", "members", "would become admins"] },
  formerGuest: { ...RISING, words: ["member", "members", "would become more than guests"] },
  openedContent: { ...OPENING, words: ["closed content", "closed contents", "would open"] },
};

/** What of a prospect has to be meant before it may happen, and is not said to be. */
export function judge(prospect: Prospect, meant: Meant): Verdict {
  const risks =
    meant.removals === true ? [] : RISKS.filter((risk) => isTooMuch(risk, prospect.portions[risk]));
  return { risks, empty: meant.empty !== true && prospect.first && prospect.members === 0 };
}

export function isRefused({ risks, empty }: Verdict): boolean {
  return empty || risks.length > 0;
}

function isTooMuch(risk: Risk, { affected, of }: Portion): boolean {
  const { few, whole } = RULES[risk];
  return (affected > few && affected * FIFTH > of) || (affected === of && affected >= whole);
}

/** The first of those affected, by name, for each risk. */
export type Examples = Readonly<Partial<Record<Risk, readonly string[]>>>;

/** The refusal in words: what is too much, what else would go, rise or open, and how to say that it is meant. */
export function refusalOf(prospect: Prospect, { risks, empty }: Verdict, examples: Examples): string {
  const of = `organization ${prospect.organization} (${oneLine(prospect.title)})`;
  const lines = [`Refused, and nothing was changed: ${of}`];
  if (empty) lines.push("  would begin without any member. If that is meant, add --allow-empty.");
  for (const risk of risks) lines.push(...passage(risk, prospect.portions[risk], examples[risk] ?? []));
  if (risks.length === 0) return lines.join("\n");
  const others = RISKS.filter((risk) => !risks.includes(risk) && prospect.portions[risk].affected > 0);
  if (others.length > 0) lines.push("Beside that:");
  for (const risk of others) lines.push(...passage(risk, prospect.portions[risk], examples[risk] ?? []));
  return [...lines, "If that is meant, add --allow-removals."].join("\n");
}

function passage(risk: Risk, { affected, of }: Portion, named: readonly string[]): string[] {
  const [one, several, fate] = RULES[risk].words;
  const lines = [`  ${affected} of ${of} ${of === 1 ? one : several} ${fate}:`];
  for (const name of named) lines.push(`    ${oneLine(name)}`);
  const more = affected - named.length;
  if (named.length > 0 && more > 0) lines.push(`    … and ${more} more`);
  return lines;
}

/**
 * Refuses imports and changes that are probably mistakes (contract, section 8). A file that was truncated at the end of
 * a line, or whose producer lost a table, is valid and would remove much. The guard gets counts from its callers and
 * reads no data itself.
 */
import { oneLine } from "./text/one-line.ts";

/** The number of affected records, and the total before the import. */
export interface Portion {
  readonly affected: number;
  readonly of: number;
}

/** The risks, in the order in which a refusal lists them. */
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

/** The counts of an import or change for one organization. */
export interface Prospect {
  readonly organization: string;
  readonly title: string;
  /** Whether the database does not have the organization yet. */
  readonly first: boolean;
  /** The number of members after the import. */
  readonly members: number;
  readonly portions: Readonly<Record<Risk, Portion>>;
}

/** The confirmations that the operator gave. */
export interface Meant {
  /** Confirms large removals, promotions and openings. */
  readonly removals?: boolean | undefined;
  /** Confirms a first import without members. */
  readonly empty?: boolean | undefined;
}

/** What is refused for one organization. Nothing is refused if `risks` is empty and `empty` is false. */
export interface Verdict {
  readonly risks: readonly Risk[];
  readonly empty: boolean;
}

interface Rule {
  /** Up to this many affected records are no risk, unless the limit `whole` applies. */
  readonly few: number;
  /**
   * If the organization has at least this many records and all of them are affected, that is a risk even below `few`.
   */
  readonly whole: number;
  /** The noun for one and for several affected records, and what would happen to them. */
  readonly words: readonly [one: string, several: string, fate: string];
}

/** Beyond `few`, it is a risk if more than one in this many records is affected. */
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

/** The risks of a prospect that exceed the limits and were not confirmed. */
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

/** The first affected records of each risk, by name. */
export type Examples = Readonly<Partial<Record<Risk, readonly string[]>>>;

/** The refusal: what exceeds the limits, what else would change, and how to confirm it. */
export function refusalOf(prospect: Prospect, { risks, empty }: Verdict, examples: Examples): string {
  const of = `organization ${prospect.organization} (${oneLine(prospect.title)})`;
  const lines = [`Refused, and nothing was changed: ${of}`];
  if (empty) lines.push("  would be created without members. If this is intended, add --allow-empty.");
  for (const risk of risks) lines.push(...passage(risk, prospect.portions[risk], examples[risk] ?? []));
  if (risks.length === 0) return lines.join("\n");
  const others = RISKS.filter((risk) => !risks.includes(risk) && prospect.portions[risk].affected > 0);
  if (others.length > 0) lines.push("Beside that:");
  for (const risk of others) lines.push(...passage(risk, prospect.portions[risk], examples[risk] ?? []));
  return [...lines, "If this is intended, add --allow-removals."].join("\n");
}

function passage(risk: Risk, { affected, of }: Portion, named: readonly string[]): string[] {
  const [one, several, fate] = RULES[risk].words;
  const lines = [`  ${affected} of ${of} ${of === 1 ? one : several} ${fate}:`];
  for (const name of named) lines.push(`    ${oneLine(name)}`);
  const more = affected - named.length;
  if (named.length > 0 && more > 0) lines.push(`    … and ${more} more`);
  return lines;
}

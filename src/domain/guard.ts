/**
 * Refuses imports and changes that are probably mistakes (docs/snapshot.md): a file that was cut off at the end of a
 * line, or written without one of its tables, is valid and would remove much. Callers pass counts; the guard reads no
 * data.
 */
import { oneLine } from "./text.ts";

/** How many records are affected, and how many there were before the import. */
export interface Portion {
  readonly affected: number;
  readonly of: number;
}

/** In the order in which a refusal lists them. */
export const RISKS = [
  "member",
  "team",
  "teamMember",
  "permission",
  "siteSpace",
  "admin",
  "formerGuest",
  "openedContent",
] as const;

export type Risk = (typeof RISKS)[number];

/** What an import or a change would do to one organization. */
export interface Prospect {
  readonly organization: string;
  readonly title: string;
  /** Whether the organization is new. */
  readonly first: boolean;
  readonly members: number;
  readonly portions: Readonly<Record<Risk, Portion>>;
}

/** What the operator confirmed on the command line. */
export interface Confirmations {
  /** Large removals, promotions and openings (`--allow-removals`). */
  readonly removals?: boolean | undefined;
  /** A first import without members (`--allow-empty`). */
  readonly empty?: boolean | undefined;
}

/** The refused risks of one organization. The import is accepted if there are none and `empty` is false. */
export interface GuardVerdict {
  readonly risks: readonly Risk[];
  readonly empty: boolean;
}

interface RiskRule {
  /** Up to this many affected records are accepted, unless `whole` refuses them. */
  readonly few: number;
  /** If all records are affected and they are at least this many, they are refused even below `few`. */
  readonly whole: number;
  /** The nouns for one record and for several, and what would happen to them. */
  readonly words: readonly [one: string, several: string, fate: string];
}

/** More than `few` affected records are refused if they are more than one in this many. */
const FIFTH = 5;

const GOING = { few: 10, whole: 3 };
const RISING = { few: 2, whole: Number.POSITIVE_INFINITY };
const OPENING = { few: 1, whole: Number.POSITIVE_INFINITY };

const RULES: Readonly<Record<Risk, RiskRule>> = {
  member: { ...GOING, words: ["member", "members", "would go"] },
  team: { ...GOING, words: ["team", "teams", "would go"] },
  teamMember: { ...GOING, words: ["team membership", "team memberships", "would go"] },
  permission: { ...GOING, words: ["permission", "permissions", "would go"] },
  siteSpace: { ...GOING, words: ["site link", "site links", "would go"] },
  admin: { ...RISING, words: ["member", "members", "would become admins"] },
  formerGuest: { ...RISING, words: ["member", "members", "would become more than guests"] },
  openedContent: { ...OPENING, words: ["closed content", "closed contents", "would open"] },
};

/** The risks that exceed their limits and that the operator did not confirm. */
export function judge(prospect: Prospect, meant: Confirmations): GuardVerdict {
  const risks =
    meant.removals === true ? [] : RISKS.filter((risk) => isTooMuch(risk, prospect.portions[risk]));
  return { risks, empty: meant.empty !== true && prospect.first && prospect.members === 0 };
}

export function isRefused({ risks, empty }: GuardVerdict): boolean {
  return empty || risks.length > 0;
}

function isTooMuch(risk: Risk, { affected, of }: Portion): boolean {
  const { few, whole } = RULES[risk];
  return (affected > few && affected * FIFTH > of) || (affected === of && affected >= whole);
}

/** Names of the first affected records of each risk. */
export type Examples = Readonly<Partial<Record<Risk, readonly string[]>>>;

/**
 * The message of a refusal: the risks that exceed their limits, what else would change, and which option confirms it.
 */
export function refusalOf(prospect: Prospect, { risks, empty }: GuardVerdict, examples: Examples): string {
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

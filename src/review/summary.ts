/**
 * The signed-off summary of a review: what it covered, when it was, who signs it off, its figures with the commands that
 * count them again, as CSV and as a page to print.
 */
import { AS_GROUP, type Decider } from "../domain/decided.ts";
import { type Markup, Markup as Raw, html } from "../domain/markup.ts";
import { ROLES, type Role } from "../domain/role.ts";
import { commandLine, fileWord, oneLine } from "../domain/text.ts";
import { csvLines } from "../operations/csv.ts";
import type { Revision } from "../store/reading.ts";
import { DECISIONS, type DecisionKind, type DecidedReport, decidedBy } from "./decided-report.ts";
import { type Followed, type Outcome, isDone } from "./outcomes.ts";

/** A number, and the command that counts it again. */
interface Figure {
  readonly words: string;
  readonly rows: number;
  readonly command: string;
}

export interface Summary {
  /** A name and its values for each: what was reviewed, when, and who signs it off. */
  readonly facts: readonly (readonly [name: string, ...values: string[]])[];
  readonly figures: readonly Figure[];
  /** The first rows that were decided `remove` and are not done. `openRows` counts all of them. */
  readonly open: readonly Followed[];
  readonly openRows: number;
}

interface SignOff {
  readonly file: string;
  /** A name that the user of the command gave; nothing proves it. */
  readonly by: string;
}

/** `before` is the revision of the report; absent if it is not kept. `altered` says what was altered, as a clause. */
export function summaryOf(
  report: DecidedReport,
  { before, to }: { readonly before: Revision | undefined; readonly to: Revision },
  counts: OutcomeCounts,
  altered: string | undefined,
  { file, by }: SignOff,
): Summary {
  const { revision, imported } = report;
  const unaltered =
    before === undefined
      ? `no, by the hash in the file itself; revision ${revision} is no longer kept`
      : "no";
  return {
    facts: [
      ["organization", to.organization, oneLine(to.title)],
      ["covers", report.covers],
      ["report of revision", String(revision), before?.importedAt ?? imported],
      ["looked at in revision", String(to.revision), to.importedAt],
      ...deciderFacts(report.decider),
      ["signed off by", oneLine(by), new Date().toISOString()],
      ["file", file],
      ["SHA-256 of the file", report.sha256],
      ["altered beyond the decisions", altered ?? unaltered],
    ],
    figures: figuresWithCommands(counts, file, to.revision, report.weakest),
    open: counts.open,
    openRows: counts.openRows,
  };
}

/** Who decided, by the file: nothing proves it. */
function deciderFacts(decider: Decider | undefined): [name: string, ...values: string[]][] {
  if (decider === undefined) return [];
  return "member" in decider
    ? [["decided by, says the file", decider.member, `signed in with ${decider.issuer}`]]
    : [["decided with, says the file", ...decider.tokens.map((name) => `organization token ${name}`)]];
}

const DECIDED = {
  keep: "kept",
  remove: "to be removed",
  ask: "asked",
  other: "decided in other words",
  open: "open",
} as const;

function figuresWithCommands(
  counts: OutcomeCounts,
  file: string,
  revision: number,
  weakest: Role | undefined,
): Figure[] {
  const reviewed = ["rolebook", "review", fileWord(file), "--at", String(revision)];
  const command = ({ decision, outcome }: Selection) => {
    const chosen = [
      ...(decision === undefined ? [] : ["--decision", decision]),
      ...(outcome === undefined ? [] : ["--outcome", outcome]),
    ];
    return `${commandLine(...reviewed, ...chosen, "--format", "ndjson")} | wc -l`;
  };
  const decided = counts.byDecision().flatMap(({ decision, rows: all, outcomes }): Figure[] => {
    const words = DECIDED[decision];
    const told = outcomes.filter(({ outcome }) => outcome !== "below" || weakest !== undefined);
    return [
      { words, rows: all, command: command({ decision }) },
      ...told.map(({ outcome, rows, now }) => ({
        words: `${words}, ${sinceWords(outcome, weakest, now)}`,
        rows,
        command: command({ decision, outcome }),
      })),
    ];
  });
  const shown = commandLine(...reviewed, "--format", "ndjson");
  const together = {
    words: "decided as a group",
    rows: counts.together,
    command: `${shown} | grep -c '"comment":"${AS_GROUP}'`,
  };
  return [
    ...decided,
    ...(together.rows > 0 ? [together] : []),
    { words: "came since, never looked at", rows: counts.came, command: command({ outcome: "came" }) },
  ];
}

function sinceWords(outcome: Outcome, weakest: Role | undefined, now: readonly string[]): string {
  switch (outcome) {
    case "still there":
      return outcome;
    case "below":
      return [`below ${weakest} since`, ...(now.length === 0 ? [] : [nowText(now)])].join(": ");
    default:
      return `${outcome} since`;
  }
}

/** Such as "now comment or read". */
function nowText(roles: readonly string[]): string {
  return `now ${roles.join(" or ")}`;
}

export function summaryCsv({ facts, figures }: Summary): string {
  return csvLines([
    ["Rolebook review"],
    ...facts.map((fact) => [...fact]),
    ["figure", "rows", "command"],
    ...figures.map(({ words, rows, command }) => [words, String(rows), command]),
  ]);
}

/** Selects rows by decision, by outcome, or by both. */
export interface Selection {
  readonly decision?: DecisionKind | undefined;
  readonly outcome?: Outcome | undefined;
}

/** A user who came after the report has no decision. */
export function isSelected({ outcome, decision }: Followed, wanted: Selection): boolean {
  if (wanted.outcome !== undefined && outcome !== wanted.outcome) return false;
  if (wanted.decision === undefined) return true;
  return outcome !== "came" && decidedBy(decision) === wanted.decision;
}

interface DecisionFigures {
  readonly decision: DecisionKind;
  readonly rows: number;
  readonly outcomes: readonly ({ readonly outcome: Outcome } & OutcomeFigures)[];
}

interface OutcomeFigures {
  readonly rows: number;
  /** The roles that the users of these rows have now, strongest first. */
  readonly now: readonly Role[];
}

/** Counts rows of one outcome. */
class RowCount {
  rows = 0;
  readonly #now = new Set<string>();

  add({ now }: Followed): void {
    this.rows++;
    this.#now.add(now);
  }

  get now(): readonly Role[] {
    return ROLES.filter((role) => this.#now.has(role)).toReversed();
  }
}

function countIn<Key>(counts: Map<Key, RowCount>, key: Key, row: Followed): void {
  const count = counts.get(key) ?? new RowCount();
  count.add(row);
  counts.set(key, count);
}

const OF_ROWS = ["removed", "below", "changed", "still there"] as const;

function keyOf(decision: DecisionKind, outcome: Outcome): string {
  return `${decision} ${outcome}`;
}

/** The most open removals that the summary names, so that it fits on a page. */
const MOST_NAMED = 8;
/** The most decisions in other words that are counted one by one. */
const WORDS = 20;

export class OutcomeCounts {
  readonly #counts = new Map<string, RowCount>();
  came = 0;
  /** The rows whose comment says that they were decided with others. */
  together = 0;
  /** The first rows that were decided `remove` and are not done. */
  readonly open: Followed[] = [];
  openRows = 0;
  readonly #words = new Map<string, Map<Outcome, RowCount>>();

  add(row: Followed): void {
    if (row.comment.startsWith(AS_GROUP)) this.together++;
    if (row.outcome === "came") this.came++;
    else countIn(this.#counts, keyOf(decidedBy(row.decision), row.outcome), row);
    const word = row.outcome === "came" ? "not looked at" : row.decision.trim().toLowerCase() || "undecided";
    const known = this.#words.has(word) || this.#words.size < WORDS ? word : "in other words";
    const outcomes = this.#words.get(known) ?? new Map<Outcome, RowCount>();
    this.#words.set(known, outcomes);
    countIn(outcomes, row.outcome, row);
    if (isDone(row) || !isSelected(row, { decision: "remove" })) return;
    this.openRows++;
    if (this.open.length < MOST_NAMED) this.open.push(row);
  }

  /** The counts of every decision, also of those that no row has. */
  byDecision(): DecisionFigures[] {
    return DECISIONS.map((decision) => {
      const outcomes = OF_ROWS.map((outcome) => {
        const { rows, now } = this.#counts.get(keyOf(decision, outcome)) ?? new RowCount();
        return { outcome, rows, now };
      });
      return { decision, rows: outcomes.reduce((sum, { rows }) => sum + rows, 0), outcomes };
    });
  }

  /** Such as "remove: 2 removed, 3 below (now read), 1 still there." */
  text(): string {
    const parts = [...this.#words].map(([word, outcomes]) => {
      const counts = [...outcomes].map(
        ([outcome, { rows, now }]) =>
          `${rows.toLocaleString("en")} ${outcome}${outcome === "below" ? ` (${nowText(now)})` : ""}`,
      );
      return `${word}: ${counts.join(", ")}`;
    });
    return `${parts.join("; ")}.`;
  }
}

const STYLE = new Raw(`
  @page { size: A4; margin: 14mm }
  body { font: 9pt/1.35 system-ui, sans-serif; max-width: 182mm; margin: 0 auto; color: #111; background: #fff }
  h1 { font-size: 15pt; margin: 0 0 3mm } h2 { font-size: 10pt; margin: 4mm 0 1mm }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; vertical-align: top; padding: .5mm 2mm .5mm 0; border-bottom: .2mm solid #ccc }
  td.n { text-align: right; font-variant-numeric: tabular-nums; font-weight: 600 }
  code { font: 5.7pt/1.3 ui-monospace, monospace; overflow-wrap: anywhere }
  .figures td:first-child { white-space: nowrap }
  tr.all td { font-weight: 600; border-top: .3mm solid #555 }
  .sign { display: flex; gap: 10mm; margin-top: 11mm } .sign p { flex: 1; border-top: .2mm solid #111; margin: 0 }
`);

export function summaryPage({ facts, figures, open, openRows }: Summary): string {
  const [, , title = ""] = facts.find(([name]) => name === "organization") ?? [];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Access review of ${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>Access review of ${title}</h1>
        <table>
          ${facts.map(
            ([name, ...values]) =>
              html`<tr>
                <th>${name}</th>
                <td>${values.join(", ")}</td>
              </tr>`,
          )}
        </table>
        <h2>Outcome</h2>
        <table class="figures">
          <tr>
            <th>rows</th>
            <th></th>
            <th>reproduced by</th>
          </tr>
          ${figures.filter(isTold).map(figureRow)}
        </table>
        ${openRemovals(open, openRows)}
        <div class="sign">
          <p>Name</p>
          <p>Date</p>
          <p>Signature</p>
        </div>
      </body>
    </html> `;
  return page.text;
}

/** Decisions in other words are shown only if there are some. */
function isTold({ words, rows }: Figure): boolean {
  return rows > 0 || !words.includes("other words");
}

function figureRow({ words, rows, command }: Figure): Markup {
  const [whole] = words.split(",");
  return html`<tr class="${whole === words ? "all" : "part"}">
    <td>${words}</td>
    <td class="n">${rows.toLocaleString("en")}</td>
    <td><code>${command}</code></td>
  </tr>`;
}

function openRemovals(rows: readonly Followed[], all: number): Markup | undefined {
  if (rows.length === 0) return undefined;
  const more = all - rows.length;
  return html`<h2>Still to be removed</h2>
    <table>
      ${rows.map(
        ({ content, user, now, reason }) =>
          html`<tr>
            <td>${user}</td>
            <td>${content}</td>
            <td>${now}</td>
            <td>${reason}</td>
          </tr>`,
      )}
      ${
        more > 0
          ? html`<tr>
              <td colspan="4">and ${more.toLocaleString("en")} more</td>
            </tr>`
          : undefined
      }
    </table>`;
}

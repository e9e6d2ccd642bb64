/**
 * The sheet of an access review: the file of `rolebook report`, parsed, checked and written. The page keeps the text of
 * each row, so that a saved file differs from the server's only in decisions and comments.
 */
import { ESCAPED, plainCell } from "../../../../domain/cell.ts";
import { type Decider, deciderCells, deciderIn } from "../../../../domain/decided.ts";
import type { ContentRef } from "../../../../domain/reason.ts";
import { scopeSaid } from "../../../../domain/scope.ts";
import { commandLine } from "../../../../domain/text.ts";
import type { Person } from "../../../../domain/why.ts";
import { recordsOf } from "../../files/csv.ts";
import { type Address, addressOf } from "../../session/address.ts";

/** The two cells that a reviewer fills in. */
export interface Mark {
  readonly decision: string;
  readonly comment: string;
}

export interface SheetRow {
  /** The kind and id of the content, and the user id. */
  readonly key: string;
  readonly content: ContentRef;
  readonly user: Person;
  readonly role: string;
  /** The sentence of `rolebook why`. */
  readonly why: string;
  /** The row as in the file, up to the decision. */
  readonly text: string;
  readonly mark: Mark;
  /** The fingerprint of the sentence of `rolebook why`. Drafts keep it, and the sentence may name a person. */
  readonly reason: string;
}

export interface Sheet {
  readonly head: string;
  readonly organization: string;
  readonly revision: number;
  readonly imported: string;
  readonly covers: string;
  /** What the draft of the sheet is kept under. */
  readonly draft: string;
  /** Who decided, if the page wrote it into the file. */
  readonly decider: Decider | undefined;
  readonly sha256: string;
  readonly rows: readonly SheetRow[];
  /** The keys of the rows. */
  readonly keys: ReadonlySet<string>;
}

export function isEmpty({ decision, comment }: Mark): boolean {
  return decision === "" && comment === "";
}

/**
 * The review that has the sheet with this scope; `undefined` if no page has it. Sheets of earlier versions have who is new
 * since a day; that of today has who rose, too.
 */
export function reviewOf(covers: string): Address | undefined {
  const scope = scopeSaid(covers) ?? {};
  const { role, spaces = [], collections = [], sites = [], users = [] } = scope;
  const [named, ...others] = [
    ...spaces.map((id) => addressOf("space", id)),
    ...collections.map((id) => addressOf("collection", id)),
    ...sites.map((id) => addressOf("site", id)),
    ...users.map((id) => addressOf("member", id)),
  ];
  if (named === undefined || others.length > 0 || role !== undefined) return undefined;
  const { guests, withoutAdmins, least, direct, team, newSince } = scope;
  const { since = newSince } = scope;
  return {
    ...named,
    tab: "review",
    ...(least !== undefined && { least }),
    ...(direct === true && { reason: "direct" }),
    ...(team !== undefined && { through: team }),
    ...(guests === true && { guests: "only" }),
    ...(withoutAdmins === true && { admins: "none" }),
    ...(since !== undefined && { since }),
  };
}

/** The command that writes the sheet of a review, at WHEN if that is given. */
export function reportCommand(review: Address, organization: string, at: string | undefined): string {
  const { view, id, least, reason, through, guests, admins, since } = review;
  const options = [
    `--organization=${organization}`,
    `--${view === "member" ? "user" : view}=${id}`,
    ...(least === undefined ? [] : [`--least=${least}`]),
    ...(reason === "direct" ? ["--direct"] : []),
    ...(through === undefined ? [] : [`--team=${through}`]),
    ...(guests === "only" ? ["--guests"] : []),
    ...(admins === "none" ? ["--without-admins"] : []),
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(at === undefined ? [] : [`--at=${at}`]),
  ];
  return `${commandLine("rolebook", "report", ...options)} > ./review.csv`;
}

const SHEET_TITLE = "Rolebook report";
/** The number of header lines above the column names. */
const HEAD_LINES = 7;
/** The index of the cell `decision`, and the number of cells of a row. */
const DECISION = 11;
const COLUMNS = 13;

/** Throws an Error that says what is wrong with an invalid file. */
export function parseSheet(text: string): Sheet {
  const records = recordsOf(text);
  const lines = records.slice(0, HEAD_LINES);
  const fact = (name: string) => lines.find(({ cells }) => cells[0] === name)?.cells.slice(1) ?? [];
  const [sha256] = fact("sha256");
  const [revision = ""] = fact("revision");
  const isTitled = lines[0]?.cells[0]?.replace("\uFEFF", "") === SHEET_TITLE;
  if (!isTitled || sha256 === undefined || !/^[1-9]\d*$/.test(revision) || records[HEAD_LINES] === undefined)
    throw new Error("This is not a sheet of rolebook report with its head.");
  const rows = records.slice(HEAD_LINES + 1).map(({ starts, from, ...line }, at) => {
    const cells = line.cells.map(plainCell);
    if (cells.length !== COLUMNS)
      throw new Error(`Row ${at + 1} has ${cells.length} cells; a sheet has ${COLUMNS}.`);
    const [kind = "", content = "", title = "", , user = "", displayName = "", email = "", , guest] = cells;
    const [role = "", why = "", decision = "", comment = ""] = cells.slice(9);
    return {
      key: `${kind}/${content} ${user}`,
      content: {
        kind: kind === "collection" ? ("collection" as const) : ("space" as const),
        id: content,
        title,
      },
      user: {
        id: user,
        displayName,
        ...(email && { email }),
        ...(guest === "yes" && { guest: true as const }),
      },
      role,
      why,
      text: text.slice(from, starts[DECISION]),
      mark: { decision: decision.trim().toLowerCase(), comment },
      reason: fingerprint(why),
    };
  });
  const first = records[HEAD_LINES + 1]?.from ?? text.length;
  const covers = fact("covers").slice(0, 3).join(", ");
  return {
    head: text.slice(0, first),
    organization: fact("organization")[0] ?? "",
    revision: Number(revision),
    imported: fact("imported")[0] ?? "",
    decider: deciderIn(lines[0]?.cells.slice(1) ?? []),
    // Spreadsheets pad lines with empty cells.
    covers,
    // Drafts of sheets that had only who is new, and not who rose, go on in today's.
    draft: covers.replace(/; new or risen since (\d{4}-\d\d-\d\d)$/u, "; new since $1"),
    sha256,
    rows,
    keys: new Set(rows.map(({ key }) => key)),
  };
}

/** What the rows of a group have in common, as the sentence of `rolebook why` says it. */
export function sourceOf({ why }: Pick<SheetRow, "why">): string {
  const [, team] = /because team (.+) has \w+ on (?:this|collection|space|site) /u.exec(why) ?? [];
  if (team !== undefined) return `through team ${team}`;
  if (/, because the default level of /u.test(why)) return "through the default level";
  if (/, because .+ is an admin of .+, whatever else is set/u.test(why)) return "as organization admin";
  if (/, because it is .+ role in /u.test(why)) return "through the organization role";
  return "by a direct permission";
}

/** 64 bits that differ for different texts, unless somebody seeks two that agree. */
function fingerprint(text: string): string {
  let [a, b] = [0x811c9dc5, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code ^ (a >>> 15), 0x5bd1e995);
  }
  return [a, b].map((half) => (half >>> 0).toString(36)).join("-");
}

/** Whether the cells that the server wrote are unchanged; `undefined` if this browser cannot compute the hash. */
async function isIntact({ rows, sha256 }: Sheet): Promise<boolean | undefined> {
  // Browsers provide `crypto.subtle` only over HTTPS and on localhost.
  if (crypto.subtle === undefined) return undefined;
  const text = rows.map((row) => `${row.text},\r\n`).join("");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return hex.join("") === sha256;
}

/** The review of an opened sheet, and how it was checked. Throws an Error that says why the sheet is not opened. */
export async function checkOpened(sheet: Sheet, organization: string, shown: number) {
  if (sheet.organization !== organization)
    throw new Error(`The sheet is of organization ${sheet.organization}.`);
  const intact = await isIntact(sheet);
  if (intact === false)
    throw new Error(
      "Its rows are not those that the server wrote: their SHA-256 differs from the one in its head.",
    );
  const review = reviewOf(sheet.covers);
  if (review === undefined)
    throw new Error(
      `It covers ${sheet.covers}; the page reviews one space, collection, site or member with every role.`,
    );
  if (sheet.revision > shown)
    throw new Error(`It is of revision ${sheet.revision}, and the page shows revision ${shown}.`);
  const checked = intact
    ? "its rows are those that the server wrote."
    : "this browser cannot check its SHA-256.";
  return { review, checked };
}

/**
 * The file with other marks, and with the names of the organization tokens that made them; the server wrote into the
 * head which member is signed in. All else is as in the opened file.
 */
export function writeSheet(
  { head, rows }: Sheet,
  tokens: readonly string[],
  markOf: (row: SheetRow) => Mark,
): string {
  const names = deciderCells({ tokens }).map((name) => `,${cell(name)}`);
  // The browser removes the byte order mark when it reads a file as text.
  return (
    `\uFEFF${head.replace("\uFEFF", "").replace("\r\n", () => `${names.join("")}\r\n`)}` +
    rows
      .map((row) => {
        const { decision, comment } = markOf(row);
        return `${row.text}${decision},${cell(comment)}\r\n`;
      })
      .join("")
  );
}

/**
 * Quotes a cell for the file. A text that a spreadsheet would run as a formula gets a leading apostrophe, as in the
 * server's cells.
 */
function cell(text: string): string {
  const safe = ESCAPED.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$|^'/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

import { DECISIONS } from "../../../../domain/decided.ts";
import { type Column, column } from "../../list/Table.tsx";
import { ContentCell, PersonCell, RoleCell } from "../../list/columns.tsx";
import { Link } from "../../parts/Link.tsx";
import { Button } from "../../parts/controls.tsx";
import type { Address } from "../../session/address.ts";
import { capital } from "../../words/names.ts";
import type { EarlierRow, KeptMark } from "./marks.ts";
import { type SheetRow, sourceOf } from "./sheet.ts";
import { type SheetMarks, shownMark } from "./sheetMarks.ts";
import type { ReviewActions } from "./useReview.ts";

/** Rows that are decided together: what they have in common, in words. */
export interface Group {
  readonly key: string;
  readonly words: string;
  readonly rows: readonly SheetRow[];
}

export type Item = SheetRow | Group;

export function isGroup(item: Item): item is Group {
  return "rows" in item;
}

interface Columns extends Pick<ReviewActions, "mark" | "decide" | "earlier"> {
  readonly address: Address;
  readonly marks: SheetMarks;
  /** The id of the reviewer, where a member reviews. */
  readonly self: string | undefined;
}

/** The columns of a review. A group has no cells. */
export function columnsOf({ address, marks, self, mark, decide, earlier }: Columns): Column<Item>[] {
  const { view } = address;
  const of = (show: (row: SheetRow) => ReturnType<Column<Item>["cell"]>) => (item: Item) =>
    isGroup(item) ? null : show(item);
  const on = (row: SheetRow) => marks.on(row);
  const content = column<Item>(
    "Content",
    "c-name",
    of(({ content }) => <ContentCell content={content} />),
  );
  const member = column<Item>(
    "Member",
    view === "space" ? "c-name" : "c-member",
    of(({ user }) => <PersonCell user={user} isReader={user.id === self} />),
  );
  return [
    ...(view === "space" ? [member] : view === "member" ? [content] : [content, member]),
    column<Item>(
      "Role",
      "c-role",
      of(({ role }) => <RoleCell role={role} />),
    ),
    column<Item>(
      "Why",
      "c-why",
      of((row) => (
        <>
          <Before mark={on(row).before} role={row.role} />
          <LastTime row={row} earlier={earlier} />
          <Link to={whyOf(address, row)}>
            {capital(sourceOf(row).replace(/^(?:through( the)?|as|by a) /u, ""))}
          </Link>
        </>
      )),
    ),
    column<Item>(
      "Decision",
      "c-decision",
      of((row) => (
        <Choice
          label={`Decision on ${aboutRow(row)}`}
          chosen={shownMark(on(row)).decision}
          choose={(decision) => decide([row], decision)}
        />
      )),
    ),
    column<Item>(
      "Comment",
      "c-comment",
      of((row) => (
        <input
          aria-label={`Comment on ${aboutRow(row)}`}
          value={shownMark(on(row)).comment}
          onInput={({ currentTarget }) => mark(row, { comment: currentTarget.value })}
        />
      )),
    ),
  ];
}

/** The address that shows, beside the list, why a row has its role. */
export function whyOf(address: Address, { content, user }: SheetRow): Address {
  const on = `${content.kind}/${content.id}`;
  if (address.view === "member") return { ...address, why: content.kind === "space" ? content.id : on };
  return { ...address, why: user.id, on };
}

interface ChoiceProps {
  readonly label: string;
  /** One of {@link DECISIONS}, or another text of an opened file. */
  readonly chosen: string;
  /** Called with no text where the decision is taken back. */
  choose(decision: string): void;
}

/** Three buttons, of which the chosen one is pressed; to press it again takes the decision back. */
export function Choice({ label, chosen, choose }: ChoiceProps) {
  const other = chosen !== "" && !DECISIONS.some((each) => each === chosen);
  return (
    <div class="choice" role="group" aria-label={label} data-decision={chosen}>
      {DECISIONS.map((each) => (
        <Button
          key={each}
          class={`d-${each}`}
          tabIndex={-1}
          aria-pressed={each === chosen}
          onClick={() => choose(each === chosen ? "" : each)}
        >
          {capital(each)}
        </Button>
      ))}
      {other && <bdi>{chosen}</bdi>}
    </div>
  );
}

/** What was decided when the role or its reason was another one. */
function Before({ mark, role }: { mark: KeptMark | undefined; role: string }) {
  if (!mark?.decision) return null;
  const seen =
    mark.role === ""
      ? "on an earlier revision"
      : mark.role === role
        ? "when the reason was another one"
        : `when the role was ${mark.role}`;
  return <span class="before">{`You decided ${mark.decision} ${seen}.`} </span>;
}

/** What the opened earlier report decided on the row, and what has changed since. */
function LastTime({ row, earlier }: { row: SheetRow } & Pick<ReviewActions, "earlier">) {
  if (earlier === undefined) return null;
  const then = earlier.get(row.key);
  return (
    <span class="before">
      {then === undefined
        ? "New since last time."
        : `Last time ${then.decision || "undecided"}${sinceThen(row, then)}.`}{" "}
    </span>
  );
}

function sinceThen(row: SheetRow, then: EarlierRow): string {
  if (row.role !== then.role) return `, then ${then.role}`;
  return row.reason === then.reason ? "" : ", for another reason";
}

/** Whether a row is new, or has another role or reason than in an earlier report. */
export function isChangedSince(row: SheetRow, earlier: ReadonlyMap<string, EarlierRow>): boolean {
  const then = earlier.get(row.key);
  return then === undefined || sinceThen(row, then) !== "";
}

/** A row in words, for labels. */
export function aboutRow({ user, role, content }: SheetRow): string {
  return `${user.displayName || user.id}, ${role} on ${content.title}`;
}

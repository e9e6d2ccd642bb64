import { type Column, column } from "../../list/Table.tsx";
import { ContentCell, PersonCell, RoleCell } from "../../list/columns.tsx";
import { Link } from "../../parts/Link.tsx";
import { addressOf } from "../../session/address.ts";
import { capital } from "../../words/names.ts";
import type { KeptMark } from "./marks.ts";
import { DECISIONS, type Mark, type SheetRow } from "./sheet.ts";
import { type SheetMarks, shownMark } from "./sheetMarks.ts";

/** The columns of a review. `mark` changes the mark on a row. */
export function columnsOf(
  view: string,
  on: SheetMarks["on"],
  mark: (row: SheetRow, change: Partial<Mark>) => void,
): Column<SheetRow>[] {
  const content: Column<SheetRow> = column("Content", "c-name", ({ content }) => (
    <ContentCell content={content} />
  ));
  const member: Column<SheetRow> = column("Member", view === "space" ? "c-name" : "c-member", ({ user }) => (
    <PersonCell user={user} />
  ));
  return [
    ...(view === "space" ? [] : [content]),
    ...(view === "member" ? [] : [member]),
    column("Role", "c-role", ({ role }) => <RoleCell role={role} />),
    {
      head: "Why",
      class: "c-why",
      // The role has its own column.
      cell: (row) => (
        <>
          <Link to={{ ...addressOf(row.content.kind, row.content.id), why: row.user.id }}>
            {capital(row.why.replace(/^\w+, because /u, ""))}
          </Link>
          <Before mark={on(row).before} role={row.role} />
        </>
      ),
    },
    column("Decision", "c-decision", (row) => (
      <select
        aria-label={`Decision on ${about(row)}`}
        value={shownMark(on(row)).decision}
        onChange={({ currentTarget }) => mark(row, { decision: currentTarget.value })}
      >
        <option value="" />
        {[...new Set([...DECISIONS, shownMark(on(row)).decision])].filter(Boolean).map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    )),
    column("Comment", "c-comment", (row) => (
      <input
        aria-label={`Comment on ${about(row)}`}
        value={shownMark(on(row)).comment}
        onInput={({ currentTarget }) => mark(row, { comment: currentTarget.value })}
      />
    )),
  ];
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
  return <p class="before">{`You decided ${mark.decision} ${seen}.`}</p>;
}

function about({ user, role, content }: SheetRow): string {
  return `${user.displayName || user.id}, ${role} on ${content.title}`;
}

import type { Column } from "../../list/Table.tsx";
import { ContentCell, PersonCell, RoleCell } from "../../list/columns.tsx";
import { Link } from "../../parts/Link.tsx";
import { of } from "../../session/address.ts";
import { capital } from "../../words/names.ts";
import type { KeptMark } from "./marks.ts";
import { type Rebased, shownMark } from "./rebase.ts";
import { DECISIONS, type Mark, type SheetRow } from "./sheet.ts";

/** The columns of a review. `mark` changes the mark on a row. */
export function columnsOf(
  view: string,
  on: Rebased["on"],
  mark: (row: SheetRow, change: Partial<Mark>) => void,
): Column<SheetRow>[] {
  const content: Column<SheetRow> = {
    head: "Content",
    class: "c-name",
    cell: ({ cells: [kind, id = "", title = ""] }) => (
      <ContentCell content={{ kind: kind === "collection" ? "collection" : "space", id, title }} />
    ),
  };
  const member: Column<SheetRow> = {
    head: "Member",
    class: view === "space" ? "c-name" : "c-member",
    cell: ({ cells: [, , , , id = "", displayName = "", email = "", , guest] }) => (
      <PersonCell
        user={{ id, displayName, ...(email !== "" && { email }), ...(guest === "yes" && { guest: true }) }}
      />
    ),
  };
  return [
    ...(view === "space" ? [] : [content]),
    ...(view === "member" ? [] : [member]),
    { head: "Role", class: "c-role", cell: ({ cells }) => <RoleCell role={cells[9]} /> },
    {
      head: "Why",
      class: "c-why",
      // The role has its own column.
      cell: (row) => {
        const { cells } = row;
        const [kind, id = "", , , user = "", , , , , , why = ""] = cells;
        return (
          <>
            <Link to={{ ...of(kind === "collection" ? "collection" : "space", id), why: user }}>
              {capital(why.replace(/^\w+, because /u, ""))}
            </Link>
            <Before mark={on(row).before} role={row.role} />
          </>
        );
      },
    },
    {
      head: "Decision",
      class: "c-decision",
      cell: (row) => (
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
      ),
    },
    {
      head: "Comment",
      class: "c-comment",
      cell: (row) => (
        <input
          aria-label={`Comment on ${about(row)}`}
          value={shownMark(on(row)).comment}
          onInput={({ currentTarget }) => mark(row, { comment: currentTarget.value })}
        />
      ),
    },
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

function about({ cells }: SheetRow): string {
  return `${cells[5] || cells[4]}, ${cells[9]} on ${cells[2]}`;
}

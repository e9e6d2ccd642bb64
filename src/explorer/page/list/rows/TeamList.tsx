import { contentKey } from "../../../../domain/content.ts";
import type { TeamRow } from "../../../wire/rows.ts";
import { of } from "../../session/address/address.ts";
import { WithoutGrant } from "../../views/differences/Tools.tsx";
import { Link } from "../../parts/Link.tsx";
import { NameLink } from "../../parts/NameLink.tsx";
import { date } from "../../words/date.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count, figure } from "../../words/number.ts";
import { ROLE } from "../columns.tsx";
import { List } from "../List.tsx";
import type { ListProps } from "../props.ts";
import type { Column } from "../Table.tsx";

/** The teams with a permission on a content, the teams of a member, or all teams. */
export function TeamList({ address, subject }: ListProps) {
  const { view } = address;
  const head: Column<TeamRow> = {
    head: "Team",
    class: "c-name",
    cell: ({ team }) => <NameLink of={team} id={`team-${team.id}`} />,
  };
  const created: Column<TeamRow> = {
    head: "Created",
    class: "c-date",
    cell: ({ team }) => date(team.createdAt),
  };
  const numbers = [number("Members", "members"), number("Spaces", "spaces")];
  const content = view === "space" || view === "collection";
  const through: Column<TeamRow> = {
    head: "Through it",
    class: "c-through",
    cell: ({ team }) => (
      <Link
        to={{ ...of(view === "space" ? "space" : "collection", address.id), through: team.id }}
        class="link"
      >
        People
        <span class="vh"> with a role through {nameOf(team)}</span>
      </Link>
    ),
  };
  const without: Column<TeamRow> = {
    head: "What if",
    class: "c-without",
    cell: ({ team }) => (
      <WithoutGrant
        team={team.id}
        content={contentKey(view === "space" ? "space" : "collection", address.id)}
        about={nameOf(team)}
      />
    ),
  };
  const whose = content ? `with a direct permission on ${nameOf(subject)}` : `of ${nameOf(subject)}`;
  return (
    <List<TeamRow>
      address={address}
      caption={view === "teams" ? "Teams of the organization" : `Teams ${whose}`}
      columns={[
        head,
        ...(view === "teams" ? [] : [{ ...ROLE, head: view === "member" ? "Role in it" : "Role" }]),
        ...numbers,
        ...(content ? [through, without] : []),
        ...(view === "teams" ? [created] : []),
      ]}
      rowId={(row) => row.team.id}
      step={(row) => (content && row.role) || ""}
      foot={(total) =>
        content
          ? `${count(total, "team")}${filtered(address)} with a direct permission, strongest role first, then by team id`
          : `${count(total, "team")}${filtered(address)}, by team id`
      }
      empty={
        content
          ? `No team has a direct permission on this ${view}.`
          : view === "member"
            ? `${nameOf(subject) || "This member"} is in no team.`
            : "There are no teams."
      }
    />
  );
}

function number(head: string, what: "members" | "spaces"): Column<TeamRow> {
  return {
    head,
    class: `c-number c-${what}`,
    cell: ({ team }) => (
      <>
        {figure(team[what])}
        {/* CSS shows the unit only on narrow screens, where the table has no column headers. */}
        <span class="unit"> {team[what] === 1 ? what.slice(0, -1) : what}</span>
      </>
    ),
  };
}

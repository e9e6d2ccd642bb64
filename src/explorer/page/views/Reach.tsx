/** What a team opens to its members. */
import { ROLES, type Role, rank } from "../../../domain/role.ts";
import { writeWithout } from "../../../domain/without.ts";
import type { AccessRow, OpenedRow } from "../../wire/lists.ts";
import { FilterBar } from "../list/FilterBar.tsx";
import { List } from "../list/List.tsx";
import { column } from "../list/Table.tsx";
import { MEMBER, SPACE, heldColumn } from "../list/columns.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Link, SubjectLink } from "../parts/Link.tsx";
import { type Address, addressOf, subjectQuery, withoutSource } from "../session/address.ts";
import { useAnswer, useRestedAnswer } from "../session/useAnswer.ts";
import { filterPhrase } from "../words/filters.ts";
import { nameOf } from "../words/names.ts";
import { count, figure } from "../words/numbers.ts";
import { Page, type ViewProps } from "./Page.tsx";

/** The spaces to which a team gives access, or the roles of its members on one content. */
export function ReachView({ address, listed }: ViewProps) {
  const { id, on } = address;
  const content = on === undefined ? undefined : subjectQuery(on);
  const team = useAnswer("tree", { team: id });
  const there = useAnswer("tree", content);
  const name = nameOf(team.answer?.subject) || id;
  const where = there.answer?.subject;
  const failure = team.failure ?? there.failure;
  const source = withoutSource(writeWithout({ of: "team", team: id }), on);
  return (
    <Page
      address={address}
      of={`reach ${id} ${on ?? ""}`}
      way={[{ title: name, to: addressOf("team", id) }]}
      icon={<Icon name="team" />}
      ready={team.answer !== undefined || failure !== undefined}
      heading={
        where ? (
          <>
            Members of <bdi>{name}</bdi> on <SubjectLink of={where} />
          </>
        ) : (
          <>
            Reach through <bdi>{name}</bdi>
          </>
        )
      }
      title={team.answer && `${name} – what the team opens`}
      failure={failure}
      again={team.again}
      actions={
        <Link to={source} class="btn">
          Without this team
        </Link>
      }
      file={{ title: name }}
    >
      <FilterBar address={address} />
      {listed.on === undefined ? <OpenedSpaces address={listed} /> : <TeamOnContent address={listed} />}
    </Page>
  );
}

function OpenedSpaces({ address }: { address: Address }) {
  return (
    <List<OpenedRow>
      address={address}
      caption="Spaces that the team opens to its members, newest first"
      columns={[
        SPACE,
        heldColumn("Through", (row) => row),
        column("Its members there", "bec", (row) => (
          <OpenedCounts team={address.id} space={row.space.id} role={row.role} />
        )),
      ]}
      rowId={(row) => row.space.id}
      foot={(total) => `${count(total, "space")}${filterPhrase(address)}, newest first`}
      empty="This team opens no space."
    />
  );
}

/** How many members have access to a space only through the team, and how many have a higher role from elsewhere. */
function OpenedCounts({ team, space, role }: { team: string; space: string; role: Role }) {
  const source = writeWithout({ of: "team", team });
  const { answer } = useRestedAnswer("without", { space, without: source });
  if (!answer?.here || !answer.team) return <span class="dim">counting…</span>;
  const { members } = answer.team;
  const sum = (roles: readonly Role[]) => roles.reduce((all, each) => all + members[each], 0);
  const more = sum(ROLES.filter((each) => rank(each) > rank(role)));
  return (
    <div class="cell">
      <span class="because">
        <Link to={withoutSource(source, `space/${space}`)} class="name">
          {figure(answer.here.lost)} only through it
        </Link>
        ,{" "}
        <Link to={{ view: "reach", id: team, tab: "", on: `space/${space}` }} class="name">
          {figure(more)} of {figure(sum(ROLES))} with more from elsewhere
        </Link>
      </span>
    </div>
  );
}

function TeamOnContent({ address }: { address: Address }) {
  return (
    <List<AccessRow>
      address={address}
      caption="Members of the team with their roles here, strongest first"
      columns={[MEMBER, heldColumn("Role", (row) => row)]}
      rowId={(row) => row.user.id}
      step={(row) => row.role}
      foot={(total) =>
        `${count(total, "member")} of the team${filterPhrase(address)}, strongest role first, then by member id`
      }
      empty="No member of this team has a role here."
    />
  );
}

import { effectText } from "../../../domain/difference.ts";
import { ROLES, type Role, rank } from "../../../domain/role.ts";
import { writeWithout } from "../../../domain/without.ts";
import type {
  AccessRow,
  CompareRow,
  ConcernedRow,
  Held,
  OpenedRow,
  PairRow,
  WithoutRow,
} from "../../wire/lists.ts";
import { List, ListLengthContext } from "../list/List.tsx";
import { CONTENT, MEMBER, SPACE } from "../list/columns.tsx";
import { RoleLabel, RuleIcon } from "../parts/Icon.tsx";
import { Link, PhraseText } from "../parts/Link.tsx";
import { type Address, PAIRS, countsQuery, withoutSource } from "../session/address.ts";
import { useAnswer, useRestedAnswer } from "../session/useAnswer.ts";
import { filterPhrase } from "../words/filters.ts";
import { count, figure } from "../words/numbers.ts";

const CHANGES = { lost: "loses access", lowered: "falls", raised: "rises", gained: "gains access" } as const;

interface Props {
  readonly address: Address;
  readonly names: { readonly one: string; readonly other: string };
}

export function DifferenceList(props: Props) {
  const { answer } = useAnswer("counts", countsQuery(props.address));
  return (
    <ListLengthContext.Provider value={answer?.filtered?.total}>
      <ListOfView {...props} />
    </ListLengthContext.Provider>
  );
}

function ListOfView({ address, names }: Props) {
  const { view, on, show } = address;
  if (view === "compare") return <ComparedSpaces address={address} names={names} />;
  if (view === "without" && on === undefined && show === PAIRS) return <PeopleByContent address={address} />;
  if (view === "without")
    return on === undefined ? <AffectedContents address={address} /> : <PeopleOnContent address={address} />;
  return on === undefined ? <OpenedSpaces address={address} /> : <TeamOnContent address={address} />;
}

/** The people whose role on one content differs without the source. */
function PeopleOnContent({ address }: { address: Address }) {
  return (
    <List<WithoutRow>
      address={address}
      caption="People whose role would differ, losses of access first"
      columns={[
        MEMBER,
        { head: "Change", class: "c-role", cell: (row) => CHANGES[row.direction] },
        { head: "Now", class: "bec c-now", cell: (row) => <RoleAndReason held={row.before} /> },
        { head: "Without it", class: "bec c-then", cell: (row) => <RoleAndReason held={row.after} /> },
      ]}
      rowId={(row) => row.user.id}
      step={(row) => row.direction}
      foot={(total) =>
        `${count(total, "person", "people")} with another role${filterPhrase(address)}: losses of access first, then by member id`
      }
      empty="Nobody’s role here would differ."
    />
  );
}

/** The people whose role differs without the source, on each content. */
function PeopleByContent({ address }: { address: Address }) {
  return (
    <List<PairRow>
      address={address}
      caption="People whose role would differ, on each content"
      columns={[
        MEMBER,
        { ...CONTENT, class: "bec c-place" },
        { head: "Now", class: "bec c-now", cell: (row) => <RoleAndReason held={row.before} /> },
        { head: "Without it", class: "bec c-then", cell: (row) => <RoleAndReason held={row.after} /> },
      ]}
      rowId={({ user, content }) => `${content.kind}/${content.id} ${user.id}`}
      step={({ content }) => `${content.kind}/${content.id}`}
      foot={(total) => `${count(total, "row")}${filterPhrase(address)}, by content, losses of access first`}
      empty="Nobody’s role would differ."
    />
  );
}

/** The contents on which the source is set, and the contents that inherit from these. */
function AffectedContents({ address }: { address: Address }) {
  return (
    <List<ConcernedRow>
      address={address}
      caption="Contents that it affects, and how many people differ on each"
      columns={[
        CONTENT,
        {
          head: "Without it",
          class: "bec",
          cell: ({ content }) => <EffectOn source={address.id} kind={content.kind} id={content.id} />,
        },
      ]}
      rowId={(row) => `${row.content.kind}/${row.content.id}`}
      foot={(total) => `${count(total, "content")}${filterPhrase(address)}, collections first, by title`}
      empty="It affects no content."
    />
  );
}

/** The effect on one content, requested when its row is shown. */
function EffectOn({ source, kind, id }: { source: string; kind: string; id: string }) {
  const { answer } = useRestedAnswer("without", { [kind]: id, without: source });
  return (
    <div class="cell">
      <span class="because">
        <Link to={withoutSource(source, `${kind}/${id}`)} class="name">
          {answer?.here ? effectText(answer.here) : "counting…"}
        </Link>
      </span>
    </div>
  );
}

function ComparedSpaces({ address, names }: Props) {
  const two = address.other !== undefined;
  return (
    <List<CompareRow>
      address={address}
      caption={`Spaces of ${names.one}${two ? ` and ${names.other}` : ""}, differences first`}
      columns={[
        SPACE,
        {
          head: two ? "Alike" : "As on the whole",
          class: "c-role",
          cell: (row) => (row.differs ? <b>differs</b> : <span class="dim">alike</span>),
        },
        { head: names.one, class: "bec c-now", cell: (row) => <RoleAndReason held={row.one} /> },
        ...(two
          ? [
              {
                head: names.other,
                class: "bec c-then",
                cell: (row: CompareRow) => <RoleAndReason held={row.other} />,
              },
            ]
          : []),
      ]}
      rowId={(row) => row.space.id}
      step={(row) => String(row.differs)}
      foot={(total) =>
        `${count(total, "space")}${filterPhrase(address)}, differences first, then by creation`
      }
      empty="Neither reaches a space here."
    />
  );
}

function OpenedSpaces({ address }: { address: Address }) {
  return (
    <List<OpenedRow>
      address={address}
      caption="Spaces that the team opens to its members, newest first"
      columns={[
        SPACE,
        { head: "Through", class: "bec c-now", cell: (row) => <RoleAndReason held={row} /> },
        {
          head: "Its members there",
          class: "bec c-then",
          cell: (row) => <OpenedCounts team={address.id} space={row.space.id} role={row.role} />,
        },
      ]}
      rowId={(row) => row.space.id}
      foot={(total) => `${count(total, "space")}${filterPhrase(address)}, newest first`}
      empty="This team opens no space."
    />
  );
}

function TeamOnContent({ address }: { address: Address }) {
  return (
    <List<AccessRow>
      address={address}
      caption="Members of the team with their roles here, strongest first"
      columns={[MEMBER, { head: "Role", class: "bec c-now", cell: (row) => <RoleAndReason held={row} /> }]}
      rowId={(row) => row.user.id}
      step={(row) => row.role}
      foot={(total) =>
        `${count(total, "member")} of the team${filterPhrase(address)}, strongest role first, then by member id`
      }
      empty="No member of this team has a role here."
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

function RoleAndReason({ held }: { held: Held | null | undefined }) {
  if (held == null) return <span class="dim">no access</span>;
  return (
    <div class="cell">
      <RoleLabel role={held.role} />
      <RuleIcon rule={held.reason.rule} />
      <span class="because">
        <PhraseText phrase={held.reason.because} />
      </span>
    </div>
  );
}

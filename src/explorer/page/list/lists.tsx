/** The lists of GET /explorer/access, each with its columns and its words, and the choice among them. */
import type { ComponentChildren } from "preact";
import { contentKey } from "../../../domain/content.ts";
import type { CountsAnswer } from "../../wire/answers.ts";
import type {
  AccessRow,
  ContentRow,
  GivenRow,
  ListId,
  SearchHit,
  MemberRow,
  ReachRow,
  SitePersonRow,
  SpaceRow,
  TeamMemberRow,
  TeamRow,
} from "../../wire/lists.ts";
import type { ContentNode } from "../../wire/protocol.ts";
import { hitDetail } from "../frame/SearchPalette.tsx";
import { Link, SubjectLink } from "../parts/Link.tsx";
import { addressOf, declared, withDetail } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { type ByContent, useByContent, useOfContent } from "../session/byContent.ts";
import { Changes } from "../views/Changes.tsx";
import { WithoutGrant } from "../views/WithoutLinks.tsx";
import { Review } from "../views/review/Review.tsx";
import { date } from "../words/dates.ts";
import { KIND_LABELS, SETTINGS } from "../words/filters.ts";
import { nameOf, namedHit } from "../words/names.ts";
import { count, figure } from "../words/numbers.ts";
import { inWords } from "../words/search.ts";
import { List, type ListProps, SortButton } from "./List.tsx";
import { RoleBar } from "./RoleCounts.tsx";
import { type Column, column } from "./Table.tsx";
import {
  CONTENT,
  ContentCell,
  KIND,
  LEVEL,
  MEMBER,
  PersonCell,
  ROLE,
  ReasonCell,
  SPACE,
} from "./columns.tsx";

/** Everybody with access to the subject, or the people with a direct permission on it. */
function AccessList({ address, subject }: ListProps) {
  const { view, tab, role, sort, why } = address;
  const people = tab === "people";
  const where = view === "site" ? "on any of this site’s spaces" : `on this ${view}`;
  const byId = role !== undefined || sort === "id";
  const held = "with a direct permission";
  return (
    <List<AccessRow>
      address={address}
      caption={`${people ? "People with a direct permission on" : "Everyone with access to"} ${nameOf(subject)}`}
      columns={[
        MEMBER,
        ROLE,
        column("Why", "bec", ({ reason, user, role }) => (
          <ReasonCell
            reason={reason}
            id={user.id}
            open={why === user.id}
            about={`${nameOf(user)} has ${role}`}
          />
        )),
      ]}
      step={(row) => (sort === "name" ? "" : row.role)}
      selected={why}
      of={people ? [`person ${held}`, `people ${held}`] : ["member"]}
      order={byId ? "by member id" : "strongest role first, then by member id"}
      empty={people ? `No person has a direct permission on this ${view}.` : `No one has a role ${where}.`}
      emptyRole={`No one has ${role} here.`}
    />
  );
}

/** The people with a direct permission on a site. */
function SitePersonList({ address, subject }: ListProps) {
  return (
    <List<SitePersonRow>
      address={address}
      caption={`People with a permission on ${nameOf(subject)}`}
      columns={[MEMBER, { ...ROLE, head: "Permission" }]}
      of={["person with a permission", "people with a permission"]}
      order="by member id"
      empty="No person has a permission on this site itself."
    />
  );
}

/** The teams with a permission on a site. */
function SiteTeamList({ address, subject }: ListProps) {
  return (
    <List<TeamRow>
      address={address}
      caption={`Teams with a permission on ${nameOf(subject)}`}
      columns={[TEAM, { ...ROLE, head: "Permission" }, number("Members", "members")]}
      step={({ role = "" }) => role}
      of={["team with a permission", "teams with a permission"]}
      order="strongest role first, no access last, then by team id"
      empty="No team has a permission on this site itself."
    />
  );
}

function MemberList({ address }: ListProps) {
  return (
    <List<MemberRow>
      address={address}
      caption="Members of the organization"
      columns={[
        // No mark for guests: the column beside this one names them.
        { ...MEMBER, cell: ({ user }) => <PersonCell user={user} tagged={false} /> },
        { ...ROLE, head: "Organization role" },
        column("Id", "c-id", (row) => <code>{row.user.id}</code>),
      ]}
      of={["member"]}
      order="by member id"
      empty="The organization has no members."
    />
  );
}

function TeamMemberList({ address, subject }: ListProps) {
  return (
    <List<TeamMemberRow>
      address={address}
      caption={`Members of team ${nameOf(subject)}`}
      columns={[MEMBER, { ...ROLE, head: "Role in the team" }]}
      of={["member"]}
      order="by member id"
      empty="This team has no members."
    />
  );
}

/** The teams with a permission on a content. */
function ContentTeamList({ address, subject }: ListProps) {
  const kind = address.view === "space" ? "space" : "collection";
  return (
    <List<TeamRow>
      address={address}
      caption={`Teams with a direct permission on ${nameOf(subject)}`}
      columns={[
        TEAM,
        ROLE,
        number("Members", "members"),
        number("Spaces", "spaces"),
        column("Through it", "c-through", ({ team }) => (
          <Link to={{ ...addressOf(kind, address.id), through: team.id }} class="link">
            People
            <span class="vh"> with a role through {nameOf(team)}</span>
          </Link>
        )),
        column("What if", "c-without", ({ team }) => (
          <WithoutGrant team={team.id} content={contentKey(kind, address.id)} about={nameOf(team)} />
        )),
      ]}
      step={({ role = "" }) => (address.sort === "name" ? "" : role)}
      of={["team with a direct permission", "teams with a direct permission"]}
      order="strongest role first, then by team id"
      empty={`No team has a direct permission on this ${kind}.`}
    />
  );
}

/** The teams of a member, or all teams. */
function TeamList({ address, subject }: ListProps) {
  const isOfMember = address.view === "member";
  return (
    <List<TeamRow>
      address={address}
      caption={isOfMember ? `Teams of ${nameOf(subject)}` : "Teams of the organization"}
      columns={[
        TEAM,
        ...(isOfMember ? [{ ...ROLE, head: "Role in it" }] : []),
        number("Members", "members"),
        number("Spaces", "spaces"),
        ...(isOfMember ? [] : [column("Created", "c-date", ({ team }: TeamRow) => date(team.createdAt))]),
      ]}
      of={["team"]}
      order="by team id"
      empty={isOfMember ? `${nameOf(subject) || "This member"} is in no team.` : "There are no teams."}
    />
  );
}

const TEAM = column("Team", "c-name", ({ team }: TeamRow) => (
  <SubjectLink of={team} id={`team-${team.id}`} />
));

function number(head: string, what: "members" | "spaces"): Column<TeamRow> {
  return column(head, `c-number c-${what}`, ({ team }) => (
    <>
      {figure(team[what])}
      {/* CSS shows the unit only on narrow screens, where the table has no column headers. */}
      <span class="unit"> {team[what] === 1 ? what.slice(0, -1) : what}</span>
    </>
  ));
}

function MemberSpaceList({ address, subject }: ListProps) {
  const { role, sort, order, why } = address;
  const name = nameOf(subject) || "This member";
  const oldest = order === "asc";
  const age = oldest ? "oldest first" : "newest first";
  const turned = withDetail(address, "order", oldest ? undefined : "asc");
  const columns: Column<ReachRow>[] = [
    SPACE,
    ROLE,
    {
      head: (
        <SortButton to={sort === "name" ? withDetail(address, "sort", undefined) : turned}>
          Created{sort !== "name" && `, ${age}`}
        </SortButton>
      ),
      class: "c-date",
      ...(sort === undefined && { sort: oldest ? "ascending" : "descending" }),
      cell: (row) => date(row.createdAt),
    },
    column("Why", "bec", ({ reason, space, role }) => (
      <ReasonCell
        reason={reason}
        id={space.id}
        open={why === space.id}
        about={`${name} has ${role} on ${nameOf(space)}`}
      />
    )),
  ];
  return (
    <List<ReachRow>
      address={address}
      caption={`Spaces that ${name} has a role on`}
      columns={columns}
      selected={why}
      step={(row) => (sort === "strongest" ? row.role : "")}
      of={["space"]}
      order={sort === "strongest" ? `strongest role first, then ${age}` : age}
      empty={`${name} has no role on any space.`}
      emptyRole={`${name} has ${role} on no space.`}
    />
  );
}

function TeamPermissionList({ address, subject }: ListProps) {
  return (
    <List<GivenRow>
      address={address}
      caption={`Permissions of team ${nameOf(subject)}`}
      columns={[
        CONTENT,
        ROLE,
        KIND,
        column("What if", "c-without", ({ content }) => (
          <WithoutGrant
            team={address.id}
            content={contentKey(content.kind, content.id)}
            about={nameOf(content)}
          />
        )),
      ]}
      step={(row) => (address.sort === "name" ? "" : row.role)}
      of={["permission"]}
      order="strongest role first"
      empty="This team was given no permission."
    />
  );
}

function ContentList({ address, subject }: ListProps) {
  const { answers, client } = useSession();
  // The role counts of the collection are requested first.
  const counted = answers.known("counts", { collection: address.id }) !== undefined;
  const mixes = useByContent(address.id, async (contents) => {
    const answer = await client.get<CountsAnswer>("counts", { contents });
    return answer.contents;
  });
  return (
    <List<ContentRow>
      address={address}
      caption={`Contents of ${nameOf(subject)}, by title`}
      columns={[
        column("Content", "c-name", ({ content }) => <ContentCell content={content} />),
        LEVEL,
        column("Mix of roles", "c-mix", ({ content }) => <RowMix node={content} of={mixes} ask={counted} />),
      ]}
      of={["content"]}
      order="collections first, by title"
      empty="Nothing lies in this collection."
    />
  );
}

type Mix = Pick<CountsAnswer, "roles" | "tabs">;

/** The role counts of a content; a dash until they arrive, and if the reader may not list the content. */
function RowMix({ node, of, ask }: { node: ContentNode; of: ByContent<Mix>; ask: boolean }) {
  const { roles, tabs } = useOfContent(of, `${node.kind}/${node.id}`, ask) ?? {};
  return (
    <div class="cell">
      <RoleBar roles={roles} label={`Roles on ${nameOf(node)}`} />
      <span class="sum">{figure(tabs?.everyone)}</span>
    </div>
  );
}

function SpaceList({ address, subject }: ListProps) {
  return (
    <List<SpaceRow>
      address={address}
      caption={`Spaces of ${nameOf(subject)}, by title`}
      columns={[
        SPACE,
        { ...LEVEL, cell: ({ space }) => LEVEL.cell({ content: space }) },
        column("Asks this site", "c-kind", ({ space }) =>
          space.defaultLevel === "inherit" ? "asks it" : "has its own level",
        ),
        column("Visibility", "c-visibility", ({ space }) => space.visibility),
      ]}
      of={["space"]}
      order="by title"
      empty="This site has no spaces."
    />
  );
}

/** The contents that are closed, open for edits by default, or deleted. */
function ContentsBySetting({ address }: ListProps) {
  return (
    <List<ContentRow>
      address={address}
      caption={SETTINGS[address.show ?? "closed"] ?? "Contents"}
      columns={[CONTENT, LEVEL, KIND]}
      of={["content"]}
      order="collections first, by title"
      empty="There is none."
    />
  );
}

function SearchResultList({ address }: ListProps) {
  const { q = "" } = address;
  return (
    <List<SearchHit>
      address={address}
      caption={`All matches of “${q}”`}
      columns={[
        column("Name", "c-name", (hit) =>
          "path" in hit ? (
            <ContentCell content={hit} path={hit.path} />
          ) : hit.kind === "member" ? (
            <PersonCell user={hit} />
          ) : (
            <div class="cell">
              <SubjectLink of={hit} id={`${hit.kind}-${hit.id}`} />
              <span class="mail">{hitDetail(hit)}</span>
            </div>
          ),
        ),
        column("Kind", "c-kind", (hit) => hit.kind),
      ]}
      rowId={(hit) => `${hit.kind}/${hit.id}`}
      named={(hit) => (hit ? [namedHit(hit)] : [])}
      step={(hit) => hit.kind}
      foot={(total) =>
        `${count(total, "match", "matches")}: ${address.kind === undefined ? "contents, sites and teams by title, then members by id" : (KIND_LABELS[address.kind] ?? "")}`
      }
      empty={`No title, name or e-mail has ${inWords(q)}.`}
    />
  );
}

const LISTS: Readonly<Partial<Record<ListId, (props: ListProps) => ComponentChildren>>> = {
  everyone: AccessList,
  given: AccessList,
  givenTeams: ContentTeamList,
  inside: ContentList,
  sitePeople: SitePersonList,
  siteTeams: SiteTeamList,
  siteSpaces: SpaceList,
  memberSpaces: MemberSpaceList,
  memberTeams: TeamList,
  permissions: TeamPermissionList,
  teamMembers: TeamMemberList,
  members: MemberList,
  teams: TeamList,
  contents: ContentsBySetting,
  found: SearchResultList,
};

/** The list of an address, or its changes or review. */
export function ListOf(props: ListProps) {
  const { tab } = props.address;
  if (tab === "changes") return <Changes {...props} />;
  if (tab === "review") return <Review {...props} />;
  const { id } = declared(props.address) ?? {};
  const Shown = id && LISTS[id];
  return Shown ? <Shown key={id} {...props} /> : null;
}

/** What changed: the revisions that changed a subject, and the differences between two revisions. */
import type { ComponentChildren } from "preact";
import { rolesText } from "../../../domain/difference.ts";
import { commandLine } from "../../../domain/text.ts";
import type { ChangesAnswer, RevisionChange } from "../../wire/answers.ts";
import type { ChangedRow, ChangedNode, HeldThen } from "../../wire/lists.ts";
import { Failure } from "../list/Failure.tsx";
import { FilterBar, TeamFilter } from "../list/FilterBar.tsx";
import { List, ListPanel, type ListProps } from "../list/List.tsx";
import { column } from "../list/Table.tsx";
import { CONTENT, MEMBER, effectColumns } from "../list/columns.tsx";
import { Icon, RoleLabel } from "../parts/Icon.tsx";
import { Link, PhraseText } from "../parts/Link.tsx";
import { Button, CommandButton } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { ClampedText } from "../parts/text.tsx";
import { type Address, HOME, addressOf } from "../session/address.ts";
import type { QueryValues } from "../session/client.ts";
import { useSession } from "../session/session.ts";
import { type Parts, useParts } from "../session/useAnswer.ts";
import { fullMoment } from "../words/dates.ts";
import { filterPhrase } from "../words/filters.ts";
import { capital, nameOf } from "../words/names.ts";
import { contentWords, count, figure, peopleWords } from "../words/numbers.ts";
import { Page, type ViewProps } from "./Page.tsx";

/** The revisions that changed a content, a member or a team. If the address names two revisions, their differences. */
export function Changes(props: ListProps) {
  const { earlier, later } = props.address;
  if (earlier === undefined || later === undefined) return <RevisionLog {...props} />;
  return <RevisionDifference {...props} earlier={earlier} later={later} />;
}

function RevisionLog({ address, subject }: ListProps) {
  const { view, id } = address;
  const { known, state, failure, cancel, again } = useChanges({ [view]: id });
  const { changes, done, of } = known;
  const looked = of === 0 ? "" : `${figure(done)} of ${count(of, "revision")} looked at`;
  const none = changes.length === 0 && state === "whole";
  return (
    <ListPanel
      address={address}
      caption={`Changes of ${nameOf(subject)}`}
      isLog
      busy={state === "reading"}
      isEmpty={changes.length === 0}
      status={
        <>
          <span class="status">{`${count(changes.length, "revision")} that changed ${nameOf(subject)}${state === "whole" ? "" : `, ${looked}`}`}</span>
          {state === "reading" && of > 0 && <Button onClick={cancel}>Cancel</Button>}
          {state === "cancelled" && <Button onClick={again}>Go on</Button>}
        </>
      }
    >
      <ol>
        {changes.map((change) => (
          <RevisionEntry key={change.revision} change={change} address={address} />
        ))}
      </ol>
      {none && <p class="empty">No revision that is kept changed this {view}.</p>}
      {state === "failed" && <Failure failure={failure} address={address} again={again} />}
    </ListPanel>
  );
}

function RevisionEntry({ change, address }: { change: RevisionChange; address: Address }) {
  const { revision, importedAt, command, note, earlier, effect, what, more } = change;
  const words = effect && (address.view === "member" ? contentWords(effect) : peopleWords(effect));
  const label = words ?? (address.view === "team" ? "Whom it concerns" : "Open");
  return (
    <li>
      <p class="when">
        <b>{fullMoment(importedAt)}</b>
        <span class="dim">
          revision {figure(revision)}
          {command !== undefined && `, ${command}`}
        </span>
        {note !== undefined && <bdi class="dim">“{note}”</bdi>}
      </p>
      {(what.length > 0 || more > 0) && (
        <ul>
          {what.map((phrase, at) => (
            <li key={at}>
              <PhraseText phrase={phrase} />
            </li>
          ))}
          {more > 0 && <li class="dim">and {count(more, "more record")}</li>}
        </ul>
      )}
      <Link
        to={{ ...address, earlier: String(earlier), later: String(revision) }}
        class="link"
        id={`change-${revision}`}
      >
        {capital(label)}
        <span class="vh"> in revision {figure(revision)}</span>
      </Link>
    </li>
  );
}

/** The changes so far; `done` of `of` revisions are checked. */
type ChangesSoFar = Pick<ChangesAnswer, "changes" | "done" | "of" | "next">;

const NONE: ChangesSoFar = { changes: [], done: 0, of: 0 };

/** Requests the revisions that changed a subject, latest first. */
function useChanges(thing: QueryValues): Parts<ChangesSoFar> {
  const { client } = useSession();
  return useParts(JSON.stringify(thing), NONE, async ({ changes, next }, signal) => {
    const answer = await client.get<ChangesAnswer>("changes", { ...thing, before: next }, signal);
    return [{ ...answer, changes: [...changes, ...answer.changes] }, answer.next === undefined];
  });
}

interface DifferenceProps extends ListProps {
  readonly earlier: string;
  readonly later: string;
}

/**
 * The differences between two revisions: people on a content, contents of a member, or the effects of a team's changes.
 */
function RevisionDifference(props: DifferenceProps) {
  const { address } = props;
  const { earlier: _, later: __, through, ...all } = address;
  return (
    <>
      <Between {...props}>
        {through !== undefined && <TeamFilter address={address} team={through} />}
        <Link to={all} class="link">
          All changes
        </Link>
      </Between>
      <div class="tall">
        {address.view === "team" ? <ChangedSubjects {...props} /> : <ChangedRoles {...props} />}
      </div>
    </>
  );
}

/** The two compared revisions, each a button that chooses another one, and the command that compares them too. */
function Between({ address, earlier, later, children }: DifferenceProps & { children?: ComponentChildren }) {
  const { choosingRevision, client } = useSession();
  const { view, id } = address;
  const organization = useValue(client.me)?.organization.id ?? "";
  const only = id === "" || view === "team" ? [] : [view === "member" ? "--user" : `--${view}`, id];
  const choose = (side: "earlier" | "later", revision: string) => (
    <Button
      aria-haspopup="dialog"
      aria-label={`${revision}: choose another ${side} revision`}
      onClick={() => choosingRevision.set(side)}
    >
      {revision}
    </Button>
  );
  return (
    <div class="bar">
      <span>
        Revision {choose("later", later)} compared with revision {choose("earlier", earlier)}.
      </span>
      <CommandButton
        text={commandLine(
          "rolebook",
          "diff",
          "--organization",
          organization,
          "--from",
          earlier,
          "--to",
          later,
          ...only,
        )}
      />
      {children}
    </div>
  );
}

function ChangedRoles({ address }: DifferenceProps) {
  const { view } = address;
  const ofMember = view === "member";
  return (
    <List<ChangedRow>
      address={address}
      caption={ofMember ? "Contents on which the role changed" : "People whose role changed"}
      columns={[
        ofMember ? CONTENT : MEMBER,
        column("Before", "c-role c-was", ({ before }) => <RoleThen held={before} />),
        column("After", "c-role c-is", ({ after }) => <RoleThen held={after} />),
        column("Why", "bec c-sentence", ({ sentence, user, content }) => (
          <div class="cell">
            <ClampedText title={<bdi>{nameOf(ofMember ? content : user)}</bdi>}>
              <PhraseText phrase={sentence} />
            </ClampedText>
          </div>
        )),
      ]}
      rowId={({ content, user }) => (ofMember ? `${content.kind}/${content.id}` : user.id)}
      foot={(total) =>
        ofMember
          ? `${count(total, "content")}${filterPhrase(address)}, by kind and id`
          : `${count(total, "person", "people")}${filterPhrase(address)}, by member id`
      }
      empty={ofMember ? "No role of this member differs." : "Nobody’s role differs here."}
    />
  );
}

function RoleThen({ held }: { held: HeldThen | null }) {
  if (held === null) return <span class="dim">none</span>;
  return <RoleLabel role={held.role} />;
}

/** The people who joined or left, and the contents on which roles of other people differ. */
function ChangedSubjects({ address, earlier, later }: DifferenceProps) {
  const { view, id, role, least, guests } = address;
  const team = view === "team";
  // The list behind a count has what was counted.
  const roles = { ...(role && { role }), ...(least && { least }) };
  const at = (to: Address): Address => ({ ...to, ...roles, tab: "changes", earlier, later });
  // On a content, people may differ for other reasons, so the links of a team's changes show only people whom the team
  // affects.
  const people = { ...(team && { through: id }), ...(guests && { guests }) };
  return (
    <List<ChangedNode>
      address={address}
      caption={
        team
          ? "Contents on which it changed a role"
          : "People who came or left, and contents on which roles changed"
      }
      columns={[
        column(team ? "Content" : "Person or content", "c-name", ({ user, content, path = [] }) =>
          content ? CONTENT.cell({ content, path }) : user && MEMBER.cell({ user }),
        ),
        ...effectColumns<ChangedNode>(
          ({ effect = null }) => effect,
          ({ content }, change) =>
            at({ ...addressOf(content?.kind ?? "space", content?.id ?? ""), ...people, change }),
        ),
        column("Why", "bec", ({ what, more, user, contents = 0, had, has, content }) => (
          <div class="cell">
            <ClampedText title={<bdi>{nameOf(content ?? user)}</bdi>}>
              {user && (
                <>
                  <Link to={at(addressOf("member", user.id))} class="name">
                    on {count(contents, "content")}
                  </Link>
                  {": "}
                </>
              )}
              {what.map((phrase, index) => (
                <span key={index}>
                  {index > 0 && "; "}
                  <PhraseText phrase={phrase} />
                </span>
              ))}
              {more > 0 && <span class="dim">; and {figure(more)} more</span>}
              {had && `. Before: ${rolesText(had.role, had.contents, contents)}`}
              {has && `. After: ${rolesText(has.role, has.contents, contents)}`}
            </ClampedText>
          </div>
        )),
      ]}
      rowId={({ user, content }) => (content ? `${content.kind}/${content.id}` : `member/${user?.id ?? ""}`)}
      foot={(total) =>
        team
          ? `${count(total, "content")}${filterPhrase(address)}, by kind and id`
          : `${count(total, "row")}${filterPhrase(address)}: people, then contents`
      }
      empty={team ? "Nobody’s role differs because of it." : "Nobody’s role differs."}
    />
  );
}

export function ChangesView({ address, listed }: ViewProps) {
  const { earlier = "", later = "" } = address;
  const title = `Changes from revision ${earlier} to ${later}`;
  return (
    <Page
      address={address}
      of={`changes ${earlier} ${later}`}
      way={[{ title: "Overview", to: HOME }]}
      icon={<Icon name="clock" />}
      heading={title}
      title={title}
      lead={<Between address={address} earlier={earlier} later={later} />}
      file={{ title: "Changes" }}
    >
      <FilterBar address={address} />
      <div class="tall">
        <ChangedSubjects address={listed} earlier={earlier} later={later} />
      </div>
    </Page>
  );
}

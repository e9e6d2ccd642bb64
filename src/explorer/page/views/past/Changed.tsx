import type { ChangedRow, ChangedThing, HeldThen } from "../../../wire/past.ts";
import { of, type Address } from "../../session/address/address.ts";
import { CONTENT, MEMBER } from "../../list/columns.tsx";
import { List } from "../../list/List.tsx";
import { Through } from "../../list/filter/Through.tsx";
import type { ListProps } from "../../list/props.ts";
import { Link } from "../../parts/Link.tsx";
import { Cut } from "../../parts/Cut.tsx";
import { RoleLabel } from "../../parts/Meter.tsx";
import { Words } from "../../parts/Words.tsx";
import { filtered } from "../../words/filters.ts";
import { count, figure } from "../../words/number.ts";
import { nameOf } from "../../words/names.ts";
import { peopleWords } from "./effect.ts";

interface Props extends ListProps {
  readonly earlier: string;
  readonly later: string;
}

/**
 * The differences between two revisions: people on a content, contents of a member, or the effects of a team's changes.
 */
export function Changed(props: Props) {
  const { address, earlier, later } = props;
  const { earlier: _, later: __, through, ...all } = address;
  return (
    <>
      <p class="between">
        <span>
          Revision {later} compared with revision {earlier}.
        </span>
        {through !== undefined && <Through address={address} team={through} />}
        <Link to={all} class="link">
          All changes
        </Link>
      </p>
      <div class="tall">{address.view === "team" ? <Things {...props} /> : <Rows {...props} />}</div>
    </>
  );
}

function Rows({ address }: Props) {
  const { view } = address;
  const ofMember = view === "member";
  return (
    <List<ChangedRow>
      address={address}
      caption={ofMember ? "Contents on which the role changed" : "People whose role changed"}
      columns={[
        ofMember ? CONTENT : MEMBER,
        { head: "Before", class: "c-role c-was", cell: ({ before }) => <RoleThen held={before} /> },
        { head: "After", class: "c-role c-is", cell: ({ after }) => <RoleThen held={after} /> },
        {
          head: "Why",
          class: "bec c-sentence",
          cell: ({ sentence, user, content }) => (
            <div class="cell">
              <Cut title={<bdi>{nameOf(ofMember ? content : user)}</bdi>}>
                <Words phrase={sentence} />
              </Cut>
            </div>
          ),
        },
      ]}
      rowId={({ content, user }) => (ofMember ? `${content.kind}/${content.id}` : user.id)}
      foot={(total) =>
        ofMember
          ? `${count(total, "content")}${filtered(address)}, by kind and id`
          : `${count(total, "person", "people")}${filtered(address)}, by member id`
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
export function Things({ address, earlier, later }: Props) {
  const { view, id } = address;
  const team = view === "team";
  const at = (to: Address): Address => ({ ...to, tab: "changes", earlier, later });
  // On a content, people may differ for other reasons, so the links of a team's changes show only people whom the team
  // affects.
  const through = team ? { through: id } : {};
  return (
    <List<ChangedThing>
      address={address}
      caption={
        team
          ? "Contents on which it changed a role"
          : "People who came or left, and contents on which roles changed"
      }
      columns={[
        {
          head: team ? "Content" : "Person or content",
          class: "c-name",
          cell: ({ user, content, path = [] }) =>
            content ? CONTENT.cell({ content, path }) : user && MEMBER.cell({ user }),
        },
        {
          head: "Roles",
          class: "bec c-now",
          cell: ({ user, contents = 0, content, effect }) => (
            <div class="cell">
              <span class="because">
                {content && effect && (
                  <Link to={at({ ...of(content.kind, content.id), ...through })} class="name">
                    {peopleWords(effect)}
                  </Link>
                )}
                {user && (
                  <Link to={at(of("member", user.id))} class="name">
                    on {count(contents, "content")}
                  </Link>
                )}
              </span>
            </div>
          ),
        },
        {
          head: "Why",
          class: "bec c-then",
          cell: ({ what, more, user, content }) => (
            <div class="cell">
              <Cut title={<bdi>{nameOf(content ?? user)}</bdi>}>
                {what.map((phrase, place) => (
                  <span key={place}>
                    {place > 0 && "; "}
                    <Words phrase={phrase} />
                  </span>
                ))}
                {more > 0 && <span class="dim">; and {figure(more)} more</span>}
              </Cut>
            </div>
          ),
        },
      ]}
      rowId={({ user, content }) => (content ? `${content.kind}/${content.id}` : `member/${user?.id ?? ""}`)}
      foot={(total) =>
        team
          ? `${count(total, "content")}${filtered(address)}, by kind and id`
          : `${count(total, "row")}${filtered(address)}: people, then contents`
      }
      empty={team ? "Nobody’s role differs because of it." : "Nobody’s role differs."}
    />
  );
}

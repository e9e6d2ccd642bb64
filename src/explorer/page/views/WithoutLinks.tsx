/** The ways into the views of differences: buttons and links beside what they would change. */
import { type ContentKey, contentKey } from "../../../domain/content.ts";
import type { WhyLevel, WhyStep } from "../../../domain/why.ts";
import { type Without, writeWithout } from "../../../domain/without.ts";
import type { WhyAnswer } from "../../wire/answers.ts";
import type { SubjectNode } from "../../wire/protocol.ts";
import { Icon } from "../parts/Icon.tsx";
import { Link } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { type Address, withoutSource } from "../session/address.ts";
import { useSeesAll, useSession } from "../session/session.ts";

/** Buttons that open comparisons and previews of the shown subject. Only for callers who see everything. */
export function DifferenceTools({ view, id }: { view: Address["view"]; id: string }) {
  const { palette } = useSession();
  if (view === "space") return null;
  if (view === "team") {
    return (
      <>
        <Link to={{ view: "reach", id, tab: "" }} class="btn">
          Reach
        </Link>
        <Link to={withoutSource(writeWithout({ of: "team", team: id }))} class="btn">
          Without this team
        </Link>
      </>
    );
  }
  return (
    <Button class="btn" aria-haspopup="dialog" onClick={() => palette.set("other")}>
      <Icon name="member" />
      {view === "member" ? "Compare" : "Compare people"}
    </Button>
  );
}

/** A link to the effect of removing a team's permission on a content. */
export function WithoutGrant({ team, content, about }: { team: string; content: ContentKey; about: string }) {
  return (
    <Link to={withoutSource(writeWithout({ of: "grant", team, content }), content)} class="link">
      Without it
      <span class="vh">, {about}</span>
    </Link>
  );
}

/**
 * A link to the effect of removing the default level of a content or site. Nothing if that is `inherit`, or if the
 * caller does not see everything.
 */
export function WithoutLevel({ subject }: { subject: SubjectNode }) {
  const all = useSeesAll();
  if (!all) return null;
  if (subject.kind === "member" || subject.kind === "team" || subject.defaultLevel === "inherit") return null;
  const { kind, id } = subject;
  const to =
    kind === "site"
      ? withoutSource(writeWithout({ of: "site", site: id, what: "default" }))
      : withoutSource(writeWithout({ of: "default", content: contentKey(kind, id) }), contentKey(kind, id));
  return (
    <Link to={to} class="link">
      Without it
    </Link>
  );
}

/**
 * Links from the deciding step to the effect of removing its source. If several teams decide, the source is the first
 * one's permission.
 */
export function WithoutDecidingSource({
  why,
  level,
  step,
}: {
  why: WhyAnswer;
  level: WhyLevel;
  step: WhyStep;
}) {
  const without = sourceOf(why.user.id, level, step);
  if (without === undefined) return null;
  const { kind, id } = why.space ? { kind: "space", id: why.space.id } : why.subject;
  return (
    <p class="leave">
      <Link to={withoutSource(writeWithout(without), `${kind}/${id}`)} class="link">
        What if this were not there?
      </Link>
    </p>
  );
}

function sourceOf(user: string, { kind, id }: WhyLevel, { mark, rule, teams }: WhyStep): Without | undefined {
  if (mark !== "decides" || kind === "organization") return undefined;
  const [team] = teams ?? [];
  if (rule === "team" && team === undefined) return undefined;
  if (kind === "site") {
    const what = rule === "direct" ? { user } : team === undefined ? "default" : { team: team.id };
    return { of: "site", site: id, what };
  }
  const content = contentKey(kind, id);
  if (rule === "direct") return { of: "user", user, content };
  return team === undefined ? { of: "default", content } : { of: "grant", team: team.id, content };
}

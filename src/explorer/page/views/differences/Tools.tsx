import type { Subject } from "../../../wire/subjects.ts";
import type { Address } from "../../session/address/address.ts";
import { writeWithout } from "../../../../domain/without.ts";
import { type ContentKey, contentKey } from "../../../../domain/content.ts";
import { Icon } from "../../parts/Icon.tsx";
import { Link } from "../../parts/Link.tsx";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { seesAll } from "../../frame/side/seesAll.ts";
import { withoutSource } from "./query.ts";
import { Button } from "../../parts/controls/Button.tsx";

/** Buttons that open comparisons and previews of the shown subject. Only for callers who see everything. */
export function DifferenceTools({ view, id }: { view: Address["view"]; id: string }) {
  const { finding } = useSession();
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
    <Button class="btn" aria-haspopup="dialog" onClick={() => finding.set("other")}>
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
 * A link to the effect of removing a content's default level. Nothing if the content inherits, or if the caller does
 * not see everything.
 */
export function WithoutLevel({ subject }: { subject: Subject }) {
  const { client } = useSession();
  const me = useCell(client.me);
  if (!me || !seesAll(me)) return null;
  if (subject.kind !== "space" && subject.kind !== "collection") return null;
  if (subject.defaultLevel === "inherit") return null;
  const content = contentKey(subject.kind, subject.id);
  return (
    <Link to={withoutSource(writeWithout({ of: "default", content }), content)} class="link">
      Without it
    </Link>
  );
}

import type { Role } from "../../../domain/role.ts";
import { isRole } from "../../../domain/role.ts";
import type { ContentRef, Reason } from "../../../domain/explanation/reason.ts";
import type { Person } from "../../../domain/explanation/why.ts";
import { of } from "../session/address/address.ts";
import { Deleted } from "../parts/Deleted.tsx";
import { Icon, RuleIcon } from "../parts/Icon.tsx";
import { Link } from "../parts/Link.tsx";
import { RoleLabel } from "../parts/Meter.tsx";
import { Words } from "../parts/Words.tsx";
import { useSession } from "../session/session.ts";
import { nameOf, pathText, visible } from "../words/names.ts";

/** A user as a row's head: name, guest or not, e-mail. */
export function PersonCell({ user }: { user: Person }) {
  return (
    <div class="cell">
      <Link to={of("member", user.id)} id={`user-${user.id}`}>
        <bdi>{nameOf(user)}</bdi>
      </Link>
      {user.guest && <span class="tag">guest</span>}
      <bdi class="mail">{visible(user.email ?? "")}</bdi>
    </div>
  );
}

interface ContentProps {
  content: ContentRef & { readonly deletedAt?: string };
  /** Absent if it is the same for all rows. */
  path?: readonly string[];
}

/** A content as a row's head: title and path. */
export function ContentCell({ content, path }: ContentProps) {
  return (
    <div class="cell">
      <Link to={of(content.kind, content.id)} id={`${content.kind}-${content.id}`}>
        <bdi>{nameOf(content)}</bdi>
      </Link>
      <Deleted of={content} />
      {path && <bdi class="mail">{pathText(path)}</bdi>}
    </div>
  );
}

/** A role, `guest`, or the role in a team. */
export function RoleCell({ role }: { role: Role | string | null | undefined }) {
  if (role === null) return <span class="dim">guest</span>;
  return isRole(role) ? <RoleLabel role={role} /> : <>{role}</>;
}

interface ReasonProps {
  reason: Reason;
  /** The value of `&why=`. */
  id: string;
  open: boolean;
  /** The label of Why: "Ana Lima has review". */
  about: string;
}

/** The reason of a row, which opens Why; so does a click on the row outside links. */
export function ReasonCell({ reason, id, open, about }: ReasonProps) {
  const { walk } = useSession();
  return (
    <div class="cell">
      <RuleIcon rule={reason.rule} />
      <span class="because">
        <Words phrase={reason.because} />
      </span>
      <button
        type="button"
        class="go"
        id={`reason-${id}`}
        aria-label={`Why ${about}`}
        aria-expanded={open}
        aria-controls={open ? "why" : undefined}
        onClick={() => walk.choose({ ...walk.move.value.address, why: id })}
      >
        <Icon name="next" />
      </button>
    </div>
  );
}

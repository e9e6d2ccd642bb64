import type { Role } from "../../../domain/role.ts";
import { isRole } from "../../../domain/role.ts";
import type { ContentNode, Person, Reason } from "../../wire.ts";
import { of } from "../address/address.ts";
import { Icon, RuleIcon } from "../parts/Icon.tsx";
import { Link } from "../parts/Link.tsx";
import { RoleLabel } from "../parts/Meter.tsx";
import { Words } from "../parts/Words.tsx";
import { useSession } from "../session.ts";

/** A user as a row's head: name, guest or not, e-mail. */
export function PersonCell({ user }: { user: Person }) {
  return (
    <>
      <Link to={of("member", user.id)} id={`user-${user.id}`}>
        <bdi>{user.displayName}</bdi>
      </Link>
      {user.guest && <span class="tag">guest</span>}
      {user.email !== undefined && <span class="mail">{user.email}</span>}
    </>
  );
}

/** A content as a row's head: title and where it lies. */
export function ContentCell({ content, path }: { content: ContentNode; path: readonly string[] }) {
  return (
    <>
      <Link to={of(content.kind, content.id)} id={`${content.kind}-${content.id}`}>
        <bdi>{content.title}</bdi>
      </Link>
      <span class="mail">{path.join(" / ")}</span>
    </>
  );
}

/** A role, a guest's lack of one, or a member's part in a team. */
export function RoleCell({ role }: { role: Role | string | null | undefined }) {
  if (role === null) return <span class="dim">guest</span>;
  return isRole(role) ? <RoleLabel role={role} /> : <>{role}</>;
}

interface ReasonProps {
  reason: Reason;
  /** What `&why=` names. */
  id: string;
  open: boolean;
}

/** The reason of a row: opens Why. */
export function ReasonCell({ reason, id, open }: ReasonProps) {
  const { walk } = useSession();
  return (
    <button
      type="button"
      id={`reason-${id}`}
      aria-expanded={open}
      aria-controls={open ? "why" : undefined}
      onClick={() => walk.choose({ ...walk.move.value.address, why: id })}
    >
      <RuleIcon rule={reason.rule} />
      <span>
        <Words phrase={reason.because} />
      </span>
      <Icon name="next" class="go" />
    </button>
  );
}

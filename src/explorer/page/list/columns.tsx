/** The columns that several lists have. */
import type { Direction, Effect } from "../../../domain/difference.ts";
import type { ContentRef, Reason } from "../../../domain/reason.ts";
import { type Role, isRole } from "../../../domain/role.ts";
import type { Person } from "../../../domain/why.ts";
import type { HeldRole } from "../../wire/lists.ts";
import { Icon, RoleLabel, RuleIcon } from "../parts/Icon.tsx";
import { Link, PhraseText, SubjectLink } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { ContentPath, DeletedTag } from "../parts/text.tsx";
import type { Address } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { rawName, visible } from "../words/names.ts";
import { figure } from "../words/numbers.ts";
import { type Column, column } from "./Table.tsx";

interface PersonProps {
  readonly user: Person;
  /** Whether a guest is marked as one. */
  readonly tagged?: boolean;
  readonly isReader?: boolean;
}

/** The first cell of a row about a user: name, mark of guests and of the reader, e-mail address. */
export function PersonCell({ user, tagged = true, isReader }: PersonProps) {
  return (
    <div class="cell">
      <SubjectLink of={{ ...user, kind: "member" }} id={`user-${user.id}`} />
      {isReader ? <span class="tag">you</span> : tagged && user.guest && <span class="tag">guest</span>}
      {/* The name of a user without a display name is the e-mail address. */}
      <bdi class="mail">{rawName(user) === user.email ? "" : visible(user.email ?? "")}</bdi>
    </div>
  );
}

interface ContentProps {
  content: ContentRef & { readonly deletedAt?: string };
  /** Absent if all rows of the list have the same path. */
  path?: readonly string[] | undefined;
}

/** The first cell of a row about a content: title and path. */
export function ContentCell({ content, path }: ContentProps) {
  return (
    <div class="cell">
      <SubjectLink of={content} id={`${content.kind}-${content.id}`} />
      <DeletedTag of={content} />
      {path && (
        <span class="mail">
          <ContentPath path={path} />
        </span>
      )}
    </div>
  );
}

export const MEMBER = column("Member", "c-name", ({ user }: { user: Person }) => <PersonCell user={user} />);
export const CONTENT = column("Content", "c-name", (content: ContentProps) => <ContentCell {...content} />);
export const SPACE = column(
  "Space",
  "c-name",
  ({ space, path }: { space: ContentProps["content"]; path?: readonly string[] }) => (
    <ContentCell content={space} path={path} />
  ),
);
export const ROLE = column("Role", "c-role", ({ role }: { role?: Role | string | null }) => (
  <RoleCell role={role} />
));
export const KIND = column("Kind", "c-kind", ({ content }: ContentProps) => content.kind);
export const LEVEL = column(
  "Default level",
  "c-level",
  ({ content }: { content: { defaultLevel: string | null } }) => content.defaultLevel ?? "closed",
);

/** An effective role, `guest` for `null`, `none` on a site, or a role in a team. */
export function RoleCell({ role }: { role: Role | string | null | undefined }) {
  if (role === null) return <span class="dim">guest</span>;
  if (role === "none") return <span class="dim">no access</span>;
  return isRole(role) ? <RoleLabel role={role} /> : <>{role}</>;
}

interface ReasonProps {
  reason: Reason;
  /** The value of `why` in the address that opens this row's Why. */
  id: string;
  open: boolean;
  /** Completes the label of the button: "Why Ana Lima has review". */
  about: string;
}

/** The reason of a row, and a button that opens Why. */
export function ReasonCell({ reason, id, open, about }: ReasonProps) {
  const { navigation } = useSession();
  return (
    <div class="cell">
      <RuleIcon rule={reason.rule} />
      <span class="because">
        <PhraseText phrase={reason.because} />
      </span>
      <Button
        class="go"
        id={`reason-${id}`}
        aria-label={`Why ${about}`}
        aria-expanded={open}
        aria-controls={open ? "why" : undefined}
        onClick={() => navigation.choose({ ...navigation.move.value.address, why: id })}
      >
        <Icon name="next" />
      </Button>
    </div>
  );
}

const EFFECTS = { gained: "Gained", lost: "Lost", raised: "Raised", lowered: "Lowered" } as const;

/**
 * The numbers of an effect as four columns; each number is a link to its rows. `effectOf` may be a hook; it returns
 * `null` for a row without numbers, and `undefined` until they are known.
 */
export function effectColumns<Row>(
  effectOf: (row: Row) => Effect | null | undefined,
  linkOf: (row: Row, change: Direction) => Address,
): Column<Row>[] {
  return (["gained", "lost", "raised", "lowered"] as const).map((change) =>
    column(EFFECTS[change], "c-effect", (row) => <EffectCell of={row} {...{ effectOf, linkOf, change }} />),
  );
}

interface EffectCellProps<Row> {
  readonly of: Row;
  readonly change: Direction;
  effectOf(row: Row): Effect | null | undefined;
  linkOf(row: Row, change: Direction): Address;
}

function EffectCell<Row>({ of, change, effectOf, linkOf }: EffectCellProps<Row>) {
  const effect = effectOf(of);
  if (effect === null) return null;
  const number = effect?.[change];
  if (!number) return <span class="dim">{figure(number)}</span>;
  return (
    <Link to={linkOf(of, change)} class="name" aria-label={`${figure(number)} ${change}`}>
      {figure(number)}
    </Link>
  );
}

/** A column of a role with its reason. */
export function heldColumn<Row>(
  head: string,
  heldBy: (row: Row) => HeldRole | null | undefined,
): Column<Row> {
  return column(head, "bec", (row) => {
    const held = heldBy(row);
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
  });
}

/** Links within the page: to an address, to a subject by its name, to another revision, and the names in a phrase. */
import { type AnchorHTMLAttributes, type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Phrase, Ref } from "../../../domain/reason.ts";
import { type Address, addressOf, format } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { nameOf } from "../words/names.ts";
import { useValue } from "./observable.ts";

interface LinkProps {
  to: Address;
  class?: string;
  id?: string;
  "aria-label"?: string | undefined;
  onGo?(): void;
  children: ComponentChildren;
}

/** A link to an address. */
export function Link({ to, onGo, children, ...rest }: LinkProps) {
  const { navigation } = useSession();
  return (
    <Anchor
      {...rest}
      href={navigation.hrefOf(to)}
      onGo={() => {
        onGo?.();
        navigation.choose(to);
      }}
    >
      {children}
    </Anchor>
  );
}

interface AnchorProps extends Omit<AnchorHTMLAttributes, "href" | "role"> {
  readonly href: string;
  readonly role?: "treeitem";
  onGo(event: MouseEvent): void;
}

/** A link whose plain click the page handles itself; with modifier keys, the browser opens a new tab or window. */
export function Anchor({ href, onGo, ...rest }: AnchorProps) {
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        const { metaKey, ctrlKey, shiftKey, altKey } = event;
        const isPlain = event.button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
        if (!isPlain || event.defaultPrevented) return;
        event.preventDefault();
        onGo(event);
      }}
    />
  );
}

interface SubjectLinkProps {
  readonly of: Ref & ({ readonly title: string } | { readonly displayName: string });
  readonly class?: string;
  readonly id?: string;
}

/** The ids that stand beside names here, because the names alone are not enough; see {@link sameNamed}. */
export const SameNamed = createContext<ReadonlySet<string>>(new Set());

/** The name of a subject as a link to its view. `bdi` isolates a name from the text direction around it. */
export function SubjectLink({ of, ...rest }: SubjectLinkProps) {
  const isSame = useContext(SameNamed).has(of.id);
  return (
    <Link to={addressOf(of.kind, of.id)} {...rest}>
      <bdi>{nameOf(of)}</bdi>
      {isSame && <code> {of.id}</code>}
    </Link>
  );
}

interface RevisionLinkProps {
  /** The WHEN of the link (docs/past.md); `undefined` for the current revision. */
  readonly at: string | undefined;
  readonly class?: string;
  /** Whether the page shows this WHEN. */
  readonly current?: boolean;
  onGo?(): void;
  readonly children: ComponentChildren;
}

/** A link to the current address at another WHEN. */
export function RevisionLink({ at, class: look, current = false, onGo, children }: RevisionLinkProps) {
  const { navigation, client } = useSession();
  const { address } = useValue(navigation.move);
  const me = useValue(client.me);
  // The address of the newest revision has no `at`.
  const newest = me && (me.newer ?? me).revision;
  const when = at === String(newest) ? undefined : at;
  return (
    <Anchor
      class={look}
      href={format(address, when)}
      aria-current={current ? "true" : undefined}
      onGo={() => {
        onGo?.();
        if (when === undefined && navigation.at.value === undefined) client.reload();
        else navigation.showAt(when);
      }}
    >
      {children}
    </Anchor>
  );
}

/** A phrase whose names are links. `bdi` isolates names from the text direction around them. */
export function PhraseText({ phrase }: { phrase: Phrase }) {
  return (
    <>
      {phrase.map((part, at) => {
        if (typeof part === "string") return part;
        if ("verdict" in part) return <strong key={at}>{part.verdict}</strong>;
        const name = <bdi key={at}>{nameOf({ id: part.of?.id ?? "–", title: part.name })}</bdi>;
        if (part.of === undefined) return name;
        return (
          <Link key={at} to={addressOf(part.of.kind, part.of.id)} class="name">
            {name}
          </Link>
        );
      })}
    </>
  );
}

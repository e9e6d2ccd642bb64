import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Subject } from "../../wire/protocol.ts";
import { CsvButton, Progress } from "../files/Download.tsx";
import { PrintButton } from "../files/print.tsx";
import { Failure } from "../list/Failure.tsx";
import { Icon, type IconName } from "../parts/Icon.tsx";
import { Link } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { type Address, HOME, of } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { nameOf, visible } from "../words/names.ts";

export interface ViewProps {
  address: Address;
  /** The address of the list that is drawn: the previous one while the list of `address` is loading. */
  listed: Address;
}

interface ListPageProps {
  readonly address: Address;
  /** Identifies what the page shows; see {@link Heading}. */
  readonly of: string;
  readonly way?: readonly Crumb[];
  readonly icon?: IconName;
  readonly heading: ComponentChildren;
  readonly ready?: boolean;
  /** The title of the document; `undefined` until it is loaded. */
  readonly title: string | undefined;
  /** Why the list cannot be shown. `again` sends the request again. */
  readonly failure?: unknown;
  again?(): void;
  readonly lead?: ComponentChildren;
  /** Filters, or the progress of loading; stands before the actions. */
  readonly bar?: ComponentChildren;
  /** Stands before Print and CSV. `null` hides all actions. */
  readonly tools?: ComponentChildren;
  /** The name and the number of rows of the CSV file; absent if the list has none. */
  readonly file?: { readonly title: string | undefined; readonly total?: number | undefined };
  readonly children: ComponentChildren;
}

/** A view that consists of one list: path, heading, actions and rows, or the reason why there are none. */
export function ListPage(props: ListPageProps) {
  const { address, of, way = [], icon, heading, ready = true, title, failure, again } = props;
  const { lead, bar, tools, file, children } = props;
  useDocumentTitle(title);
  return (
    <>
      <Crumbs way={way} />
      <Heading of={of} ready={ready}>
        {icon && <Icon name={icon} />}
        <span class={ready ? undefined : "vh"}>{ready ? heading : "Loading"}</span>
      </Heading>
      {failure === undefined ? (
        <>
          {lead}
          {tools !== null && (
            <div class="bar">
              {bar}
              <div class="tools">
                {tools}
                <PrintButton />
                {file && <CsvButton address={address} title={file.title} total={file.total} />}
              </div>
            </div>
          )}
          <Progress />
          {children}
        </>
      ) : (
        <Failure failure={failure} address={address} again={again ?? (() => {})} />
      )}
    </>
  );
}

export interface Crumb {
  readonly title: string;
  readonly to: Address;
}

/** The largest number of collections that are all shown. A longer path (up to 32) shows the first and the last two. */
const SHOWN = 4;

export function Crumbs({ way }: { way: readonly Crumb[] }) {
  const { client } = useSession();
  const organization = useValue(client.me)?.organization.title;
  const key = way.map(({ to }) => to.id).join("/");
  const [opened, setOpened] = useState("");
  const folds = way.length > SHOWN && opened !== key;
  const shown = folds ? [...way.slice(0, 1), ...way.slice(-2)] : way;
  // The path appears as a whole, so that nothing shifts.
  if (organization === undefined)
    return (
      <nav class="crumbs" aria-label="Path">
        {"\u00a0"}
      </nav>
    );
  return (
    <nav class="crumbs" aria-label="Path">
      <Link to={HOME}>
        <bdi>{visible(organization)}</bdi>
      </Link>
      {shown.map(({ title, to }, at) => (
        <>
          <i aria-hidden="true">/</i>
          {folds && at === 1 && (
            <>
              <Button onClick={() => setOpened(key)}>{way.length - 3} more</Button>
              <i aria-hidden="true">/</i>
            </>
          )}
          <Link to={to}>
            <bdi>{title}</bdi>
          </Link>
        </>
      ))}
    </nav>
  );
}

/** The ancestors of a content, topmost first, as links. */
export function crumbsOf(ancestors: readonly { id: string; title: string }[]): Crumb[] {
  return ancestors.map((each) => ({ title: nameOf(each), to: of("collection", each.id) }));
}

interface HeadingProps {
  /** Identifies the shown subject. If the reader chooses another one, the focus moves to the heading. */
  of: string;
  ready: boolean;
  class?: string;
  children: ComponentChildren;
}

/** The h1 of the page. When the reader chooses a subject, it takes the focus, so that screen readers continue there. */
export function Heading({ of, ready, children, class: style }: HeadingProps) {
  const { navigation } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  const done = useRef("");
  useLayoutEffect(() => {
    if (!ready || done.current === of) return;
    done.current = of;
    const { cause, position } = navigation.move.value;
    const chosen = cause === "choose" || (cause === "return" && !position?.focus);
    if (chosen) heading.current?.focus({ preventScroll: true });
  }, [of, ready]);
  return (
    <h1 id="heading" ref={heading} tabIndex={-1} class={style}>
      {children}
    </h1>
  );
}

/** Sets the title of the document, such as "API reference – who has access – Rolebook". */
export function useTitle(subject: Subject | undefined, { view }: Address): void {
  const about = view === "member" ? "what they can reach" : view === "team" ? "team" : "who has access";
  useDocumentTitle(subject && `${nameOf(subject)} – ${about}`);
}

/** Sets the title of the document, with " – Rolebook" appended. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? "Rolebook" : `${title} – Rolebook`;
  }, [title]);
}

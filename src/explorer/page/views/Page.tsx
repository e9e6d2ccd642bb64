/** The frame of every view: the path to it, its heading, the actions on its list, then the list, or why there is none. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CsvButton, Progress } from "../files/Download.tsx";
import { Failure } from "../list/Failure.tsx";
import { Icon, type IconName } from "../parts/Icon.tsx";
import { Link } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { type Address, HOME } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { visible } from "../words/names.ts";

export interface ViewProps {
  address: Address;
  /** The address of the list that is drawn: the previous one while the list of `address` is loading. */
  listed: Address;
}

interface ListPageProps extends Omit<PageHeadProps, "icon">, ToolsProps {
  readonly icon?: IconName;
  /** Why the list cannot be shown. `again` sends the request again. */
  readonly failure?: unknown;
  again?(): void;
  readonly lead?: ComponentChildren;
  /** Filters, or the progress of loading; stands before the actions. */
  readonly bar?: ComponentChildren;
  /** Stands before Print and CSV. `null` hides all actions. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A view that consists of one list. */
export function ListPage(props: ListPageProps) {
  const { address, icon, failure, again, lead, bar, tools, file, children, ...head } = props;
  return (
    <>
      <PageHead {...head} icon={icon && <Icon name={icon} />} />
      {failure === undefined ? (
        <>
          {lead}
          {tools !== null && (
            <div class="bar">
              {bar}
              <Tools address={address} file={file}>
                {tools}
              </Tools>
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

interface PageHeadProps {
  /** Identifies what the page shows; see {@link Heading}. */
  readonly of: string;
  readonly way?: readonly Crumb[];
  readonly icon?: ComponentChildren;
  readonly heading: ComponentChildren;
  readonly ready?: boolean;
  /** The title of the document; `undefined` until it is loaded. */
  readonly title: string | undefined;
}

export function PageHead({ of, way = [], icon, heading, ready = true, title }: PageHeadProps) {
  useDocumentTitle(title);
  return (
    <>
      <Crumbs way={way} />
      <Heading of={of} ready={ready}>
        {icon}
        {/* Two elements, because one that becomes visible would count as a shift of the layout. */}
        {ready ? (
          <span key="heading">{heading}</span>
        ) : (
          <span key="loading" class="vh">
            Loading
          </span>
        )}
      </Heading>
    </>
  );
}

interface ToolsProps {
  readonly address: Address;
  /** The name of the CSV file, and the number of rows of the list without filters; absent if the list has no file. */
  readonly file?: { readonly title: string | undefined; readonly total?: number | undefined } | undefined;
}

/** The actions on a list. */
export function Tools({ address, file, children }: ToolsProps & { children: ComponentChildren }) {
  return (
    <div class="tools">
      {children}
      {file && <CsvButton address={address} title={file.title} total={file.total} />}
    </div>
  );
}

export interface Crumb {
  readonly title: string;
  readonly to: Address;
}

/** The largest number of collections that are all shown. A longer path (up to 32) shows the first and the last two. */
const SHOWN = 4;

function Crumbs({ way }: { way: readonly Crumb[] }) {
  const { client } = useSession();
  const organization = useValue(client.me)?.organization.title;
  const key = way.map(({ to }) => to.id).join("/");
  const [opened, setOpened] = useState("");
  const isShort = way.length > SHOWN && opened !== key;
  const shown = isShort ? [...way.slice(0, 1), ...way.slice(-2)] : way;
  return (
    <nav class="crumbs" aria-label="Path">
      {/* The path appears as a whole, so that nothing shifts. */}
      {organization === undefined
        ? "\u00a0"
        : [{ title: visible(organization), to: HOME }, ...shown].map(({ title, to }, at) => (
            <>
              {at > 0 && <i aria-hidden="true">/</i>}
              {isShort && at === 2 && (
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
    const isChosen = cause === "choose" || (cause === "return" && !position?.focus);
    if (isChosen) heading.current?.focus({ preventScroll: true });
  }, [of, ready]);
  return (
    <h1 id="heading" ref={heading} tabIndex={-1} class={style}>
      {children}
    </h1>
  );
}

/** Sets the title of the document, with " – Rolebook" appended. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? "Rolebook" : `${title} – Rolebook`;
  }, [title]);
}

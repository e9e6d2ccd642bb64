/** The frame of every view: the path to it, its heading, what can be done with it, then what it shows, or why there is nothing. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CsvButton, Progress } from "../files/Download.tsx";
import { Failure } from "../list/Failure.tsx";
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

interface PageProps {
  readonly address: Address;
  /** Identifies what the page shows; see {@link Heading}. */
  readonly of: string;
  readonly way?: readonly Crumb[];
  readonly icon?: ComponentChildren;
  readonly heading: ComponentChildren;
  readonly ready?: boolean;
  /** The title of the document; `undefined` until it is loaded. */
  readonly title: string | undefined;
  /** What is said below the heading. */
  readonly lead?: ComponentChildren;
  /** Buttons and links beside the heading. */
  readonly actions?: ComponentChildren;
  /** The name of the CSV file, and the number of rows of the list without filters; absent if the list has no file. */
  readonly file?: { readonly title: string | undefined; readonly total?: number | undefined } | undefined;
  /** Why there is nothing to act on and to show. `again` sends the request again. */
  readonly failure?: unknown;
  again?(): void;
  readonly children?: ComponentChildren;
}

/** A view: its head, then what it shows, which begins with a toolbar. */
export function Page(props: PageProps) {
  const { address, of, way = [], icon, heading, ready = true, title, lead, actions, file } = props;
  const { failure, again = () => {}, children } = props;
  useEffect(() => {
    document.title = title === undefined ? "Rolebook" : `${title} – Rolebook`;
  }, [title]);
  return (
    <>
      <div class="head">
        {address.view !== "home" && <Crumbs way={way} />}
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
        {lead}
        {failure === undefined && (actions || file) && (
          <div class="tools">
            {actions}
            {file && <CsvButton address={address} title={file.title} total={file.total} />}
          </div>
        )}
      </div>
      <Progress />
      {failure === undefined ? children : <Failure failure={failure} address={address} again={again} />}
    </>
  );
}

export interface Crumb {
  readonly title: string;
  readonly to: Address;
}

/** The largest number of collections that are all shown. A longer path (up to 32) shows the first and the last two. */
const MOST_SHOWN = 4;

function Crumbs({ way }: { way: readonly Crumb[] }) {
  const { client } = useSession();
  const organization = useValue(client.me)?.organization.title;
  const key = way.map(({ to }) => to.id).join("/");
  const [opened, setOpened] = useState("");
  const isShort = way.length > MOST_SHOWN && opened !== key;
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
  children: ComponentChildren;
}

/** The h1 of the page. When the reader chooses a subject, it takes the focus, so that screen readers continue there. */
function Heading({ of, ready, children }: HeadingProps) {
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
    <h1 id="heading" ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

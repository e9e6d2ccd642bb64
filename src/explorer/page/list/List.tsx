/** A list with its status line: rows as a table, the reason why there are none, or why they cannot be read. */
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import { MOST_BY_NAME } from "../../wire/lists.ts";
import type { SubjectNode } from "../../wire/protocol.ts";
import { Link } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import {
  type Address,
  activeFilters,
  countsQuery,
  listQuery,
  sortsOf,
  withDetail,
  withoutFilters,
} from "../session/address.ts";
import { pauses } from "../session/connection.ts";
import { type RowSource, useRead } from "../session/rows.ts";
import { useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { filterPhrase, noMatchText } from "../words/filters.ts";
import { count, figure } from "../words/numbers.ts";
import { Failure } from "./Failure.tsx";
import { type Column, Table, type TableProps } from "./Table.tsx";

interface ListOfRowsProps<Row> extends Omit<TableProps<Row>, "list" | "rowId"> {
  readonly address: Address;
  /** By default the list that the address names. */
  readonly list?: RowSource<Row>;
  /** By default the user, team, space or content of the row. */
  rowId?(row: Row): string;
  /** What a row is, and several of them. */
  readonly of?: readonly [one: string, many?: string];
  /** The order of the list, such as "by member id", if the reader has not chosen another one. */
  readonly order?: string;
  /** Describes the list with `total` rows; by default with `of` and `order`: "1,275 members, by member id". */
  foot?(total: number): string;
  /** The text for a list without rows; `emptyRole` replaces it if the list is filtered by a role. */
  readonly empty: string;
  readonly emptyRole?: string;
}

/** What identifies a row. */
interface Named {
  readonly user?: { readonly id: string } | undefined;
  readonly team?: { readonly id: string } | undefined;
  readonly space?: { readonly id: string } | undefined;
  readonly content?: { readonly kind: string; readonly id: string } | undefined;
}

function idOf({ user, team, space, content }: Named): string {
  return user?.id ?? team?.id ?? space?.id ?? `${content?.kind ?? ""}/${content?.id ?? ""}`;
}

export function List<Row extends object>(props: ListOfRowsProps<Row>) {
  const { address, of: [one, many] = ["row"], order = "", empty, emptyRole, list: given } = props;
  const { rowId = idOf, caption, ...table } = props;
  const session = useSession();
  const { announcement, exporter } = session;
  const job = useValue(exporter.job);
  const inOrder = address.sort === "name" ? "by name" : order;
  const foot =
    props.foot ?? ((total: number) => `${count(total, one, many)}${filterPhrase(address)}, ${inOrder}`);
  const list = given ?? session.lists.get<Row>(listQuery(address) ?? {});
  const { known: reached, state, total: read, failure, ahead } = useRead(list);
  const counted = useListLength(address, useContext(ListLengthContext));
  const total = read ?? counted;
  const [first, ...others] = props.columns;
  const columns = first && !given ? [sortedByName(first, address, total), ...others] : props.columns;

  // Screen readers announce the number of filtered rows.
  const filtered = activeFilters(address).length > 0;
  const known = total !== undefined && (reached > 0 || state === "whole");
  useEffect(() => {
    if (filtered && known) announcement.set(total === 0 ? "No matches." : foot(total ?? 0));
  }, [list, known]);

  function statusOf(): string {
    if (lost || none || waits) return "";
    if (ahead !== undefined)
      return `Reading up to row ${figure(Math.min(ahead, total ?? ahead))}: ${figure(reached)} so far`;
    if (total !== undefined) return foot(total);
    return reached === 0 ? "" : `The first ${foot(reached)}`;
  }

  const isPaused = pauses(useValue(session.client.connection.trouble));
  const waits = isPaused && reached === 0 && (state === "reading" || state === "more");
  const none = state === "whole" && reached === 0;
  const lost = state === "failed" && reached === 0;

  return (
    <ListPanel
      address={address}
      caption={caption}
      status={!job && <span class="status">{statusOf()}</span>}
      isEmpty={none || lost || waits}
    >
      {!none && !lost && !waits && <Table {...table} {...{ caption, columns, rowId, list, total }} />}
      {waits && <p class="empty">These rows were not read yet. They come when the server answers.</p>}
      {none && <Nothing address={address} none={empty} role={emptyRole} />}
      {state === "failed" && <Failure failure={failure} address={address} again={() => list.again()} />}
    </ListPanel>
  );
}

/** A first column whose head sorts the list by name, or says why it cannot. */
function sortedByName<Row>(column: Column<Row>, address: Address, total = 0): Column<Row> {
  const isSorted = address.sort === "name";
  if (!sortsOf(address).includes("name")) return column;
  if (total > MOST_BY_NAME && !isSorted) {
    const why = <span class="dim">sorted by name up to {figure(MOST_BY_NAME)} rows</span>;
    return { ...column, head: [column.head, ", ", why] };
  }
  const to = withDetail(address, "sort", isSorted ? undefined : "name");
  return {
    ...column,
    head: <SortButton to={to}>{column.head}</SortButton>,
    ...(isSorted && { sort: "ascending" }),
  };
}

/** The head of a column, which chooses the order of the list. */
export function SortButton({ to, children }: { to: Address; children: ComponentChildren }) {
  const { navigation } = useSession();
  return (
    <Button class="" onClick={() => navigation.choose(to)}>
      {children}
    </Button>
  );
}

interface ListPanelProps {
  readonly address: Address;
  readonly caption: string;
  readonly status: ComponentChildren;
  /** The list scrolls, so the keyboard must reach it even if nothing in it takes the focus. */
  readonly isEmpty: boolean;
  /** Whether the list is a log of revisions, not a table. */
  readonly isLog?: boolean;
  readonly busy?: boolean;
  readonly children: ComponentChildren;
}

/** The status line of a list, and the panel in which the list scrolls. */
export function ListPanel({
  address,
  caption,
  status,
  isEmpty,
  isLog = false,
  busy,
  children,
}: ListPanelProps) {
  const panel =
    address.tab === ""
      ? { role: "region" as const, "aria-label": caption }
      : { role: "tabpanel" as const, "aria-labelledby": `tab-${address.tab}` };
  return (
    <>
      {status && <footer class="foot">{status}</footer>}
      <div
        class={`scroll${isLog ? " log" : ""}`}
        id="list"
        data-scroll
        {...panel}
        aria-busy={busy}
        tabIndex={isEmpty ? 0 : undefined}
      >
        {children}
      </div>
    </>
  );
}

/** The text of a list without rows. If filters are active, it has a link to the unfiltered list. */
function Nothing({ address, none, role }: { address: Address; none: string; role: string | undefined }) {
  const names = activeFilters(address);
  return (
    <p class="empty">
      {names.length === 0 ? (
        none
      ) : (
        <>
          {noMatchText(address, role)}{" "}
          <Link to={withoutFilters(address)} class="link">
            {names.join() === "role" ? "Show all roles" : "Show all"}
          </Link>
        </>
      )}
    </p>
  );
}

/** The length of the shown list without filters: some lists know their length only when they are loaded to the end. */
export const ListLengthContext = createContext<number | undefined>(undefined);

/** The length of a list, as far as `counts` says it; `whole` is the length without filters. */
export function useListLength(address: Address, whole: number | undefined): number | undefined {
  const query = countsQuery(address);
  const { answer } = useAnswer("counts", query);
  return query === undefined ? whole : answer?.filtered?.total;
}

export interface ListProps {
  readonly address: Address;
  /** `undefined` until the subject is loaded, and for lists of the whole organization. */
  readonly subject?: SubjectNode | undefined;
}

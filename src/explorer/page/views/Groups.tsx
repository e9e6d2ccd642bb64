/**
 * A CSV that is read while it arrives, in groups: how far it is read, the number of rows in each group, and the rows
 * of one.
 */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { List } from "../list/List.tsx";
import type { Column } from "../list/Table.tsx";
import { ContentCell, PersonCell } from "../list/columns.tsx";
import { Link } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { ClampedText } from "../parts/text.tsx";
import { type Address, HOME, type View } from "../session/address.ts";
import { Outdated, Refusal } from "../session/client.ts";
import type { Cells, GroupedRows } from "../session/groupedRows.ts";
import { rowsInMemory } from "../session/rows.ts";
import { count, figure } from "../words/numbers.ts";

interface GroupListProps {
  of: GroupedRows;
  group: string;
  address: Address;
  caption: string;
  columns: readonly Column<Cells>[];
}

export function GroupList({ of: rows, group, address, caption, columns }: GroupListProps) {
  const { state, counts } = useValue(rows.read);
  const all = counts.get(group) ?? 0;
  const shown = rows.rows(group);
  const list = useMemo(() => rowsInMemory([...shown]), [rows, group, state, shown.length]);
  if (state === "idle") return null;
  return (
    <div class="tall">
      <List
        list={list}
        address={address}
        caption={caption}
        columns={columns}
        rowId={(cells) => cells.slice(0, 8).join()}
        foot={(total) => `${total < all ? `${figure(total)} of ` : ""}${count(all, "row")}`}
        empty={state === "whole" ? "There are no such rows." : "None so far."}
      />
    </div>
  );
}

/** The second to fourth cell of a row: kind, id and title of a content. */
export function ContentOf({ cells: [, kind, id = "", title = ""] }: { cells: Cells }) {
  return <ContentCell content={{ kind: kind === "collection" ? "collection" : "space", id, title }} />;
}

/** The fifth and sixth cell of a row: id and name of a user. */
export function UserOf({ cells: [, , , , id = "", displayName = ""] }: { cells: Cells }) {
  return <PersonCell user={{ id, displayName }} />;
}

export function ReasonOf({ cells, text }: { cells: Cells; text: string | undefined }) {
  return (
    <div class="cell">
      <ClampedText title={<bdi>{cells[3] || cells[5]}</bdi>}>{text}</ClampedText>
    </div>
  );
}

interface ReadingProps {
  of: GroupedRows;
  /** The group whose rows are counted: what the list below has. Without it, all rows are. */
  group?: string;
  /** The singular noun for a row, such as "finding". */
  noun: string;
  nouns?: string;
  label: string;
  begin(): void;
}

/** A button that starts reading. While rows arrive: their number and Cancel; at the end, why reading ended. */
export function ReadingStatus({ of: rows, group, noun, nouns, label, begin }: ReadingProps) {
  const { state, counts, failure } = useValue(rows.read);
  const counted = group === undefined ? [...counts.values()] : [counts.get(group) ?? 0];
  const total = counted.reduce((sum, number) => sum + number, 0);
  const again = (
    <Button class={state === "idle" ? "btn" : "link"} onClick={begin}>
      {state === "idle" ? label : "Start again"}
    </Button>
  );
  if (state === "idle") return <p>{again}</p>;
  return (
    <p role="status">
      {(failure === undefined || total > 0) &&
        `${count(total, noun, nouns)}${state === "whole" ? " in all." : " so far. "}`}
      {failure !== undefined && `${messageOf(failure)} `}
      {state === "reading" ? (
        <Button onClick={() => rows.cancel()}>Cancel</Button>
      ) : (
        state !== "whole" && again
      )}
    </p>
  );
}

function messageOf(failure: unknown): string {
  return failure instanceof Refusal || failure instanceof Outdated
    ? failure.message
    : "The server went away.";
}

interface GroupsProps {
  of: GroupedRows;
  view: View;
  /** All groups with their labels, also groups without rows. */
  groups: readonly (readonly [group: string, words: string])[];
}

export function Groups({ of: rows, view, groups }: GroupsProps) {
  const { counts, state } = useValue(rows.read);
  if (state === "idle") return null;
  return (
    <ul>
      {groups.map(([group, words]) => (
        <CountedLine key={group} number={figure(counts.get(group) ?? 0)} isStrong={counts.has(group)}>
          <Link to={{ ...HOME, view, show: group }} class="name">
            {words}
          </Link>
        </CountedLine>
      ))}
    </ul>
  );
}

/** A line of a section: words, and a number at its end. */
export function CountedLine(props: {
  readonly number: ComponentChildren;
  readonly isStrong?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <li class={props.isStrong ? "broken" : undefined}>
      <p>{props.children}</p>
      <span>{props.number}</span>
    </li>
  );
}

export function Section({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="rules" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

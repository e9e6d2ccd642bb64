/** The review of a content, a site or a member: the sheet of `rolebook report` with a decision and a comment per row. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { AS_GROUP } from "../../../../domain/decided.ts";
import { ROLES } from "../../../../domain/role.ts";
import { Narrow } from "../../list/FilterBar.tsx";
import { List, type ListProps } from "../../list/List.tsx";
import type { Grid } from "../../list/Table.tsx";
import { Button, Command, Dialog, FileButton, Question, Select } from "../../parts/controls.tsx";
import { TWO_LINES, useMedia } from "../../parts/hooks.ts";
import { keyFor } from "../../parts/keys.ts";
import { useValue } from "../../parts/observable.ts";
import { ExpandableList } from "../../parts/text.tsx";
import { withDetail } from "../../session/address.ts";
import { Refusal } from "../../session/client.ts";
import { rowsInMemory } from "../../session/rows.ts";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/dates.ts";
import { filterPhrase } from "../../words/filters.ts";
import { capital, nameOf } from "../../words/names.ts";
import { count, figure } from "../../words/numbers.ts";
import { Afterwards, useGroupRemoval } from "./Afterwards.tsx";
import {
  Choice,
  type Group,
  type Item,
  aboutRow,
  columnsOf,
  isChangedSince,
  isGroup,
  whyOf,
} from "./columns.tsx";
import type { Holder } from "./marks.ts";
import { type SheetRow, reportCommand, reviewOf, sourceOf } from "./sheet.ts";
import { type RowMarks, type SheetMarks, isKnown, shownMark } from "./sheetMarks.ts";
import { type OpenReview, type ReviewActions, useReview } from "./useReview.ts";

/** Which rows are shown; besides these, those with one decision. */
const ONLY = {
  "": "all rows",
  open: "undecided",
  keep: "to keep",
  remove: "to remove",
  ask: "to ask",
} as const;
/** What rows are grouped by. */
const BY = { "": "not grouped", source: "by reason", role: "by role" } as const;
const SINCE = "changed";

/** A review changes nothing in the organization. */
export function Review(props: ListProps) {
  const { address, subject } = props;
  const { client, navigation } = useSession();
  const small = useMedia(TWO_LINES);
  const caller = useValue(client.me)?.caller;
  const self = caller?.kind === "member" ? caller.id : undefined;
  const actions = useReview(props);
  const { review, earlier } = actions;
  const { sheet, marks } = review ?? {};
  const [only, setOnly] = useState("");
  const [by, setBy] = useState("");
  const [keys, setKeys] = useState(false);
  // While the reviewer decides without the pointer, whose target would move, the head leaves its height to the rows.
  const [isDeciding, setDeciding] = useState(false);
  const removal = useGroupRemoval(actions);

  // A row to be decided again stays apart when it is decided, or it would move from under the reviewer's hands.
  const apart = useMemo(() => new Set<string>(), [sheet]);
  for (const key of marks?.again ?? []) apart.add(key);
  // A row that is decided stays, for the same reason, until other rows are chosen.
  const items = useMemo(() => {
    const shown = (sheet?.rows ?? []).filter(
      (row) => (address.role === undefined || row.role === address.role) && isShown(row),
    );
    if (by !== "") return grouped(shown, by, earlier);
    return shown.toSorted((a, b) => Number(apart.has(b.key)) - Number(apart.has(a.key)));
  }, [sheet, apart.size, address.role, only, by, earlier]);
  const roles = useMemo(() => roleChoices(sheet?.rows ?? []), [sheet]);
  const list = useMemo(() => rowsInMemory<Item>(items), [items]);
  const length = useMemo(() => items.filter((item) => !isGroup(item)).length, [items]);
  const own = useMemo(() => sheet?.rows.filter(({ user }) => user.id === self).length ?? 0, [sheet, self]);
  // What the actions read is the same for the same sheet and draft, whose marks these are.
  const columns = useMemo(
    () => (marks ? columnsOf({ ...actions, address, marks, self }) : []),
    [address, marks, self, earlier],
  );

  function isShown(row: SheetRow): boolean {
    const decision = marks?.on(row).mark?.decision ?? "";
    if (only === SINCE) return earlier !== undefined && isChangedSince(row, earlier);
    return only === "" || (only === "open" ? decision === "" : decision === only);
  }

  function decideAs(group: Group, decision: string): void {
    const comment = AS_GROUP + group.words;
    const decide = () => actions.decide(group.rows, decision, comment);
    if (decision === "remove") void removal.ask(group, decide);
    else decide();
  }

  const grid = useCursor(items, {
    decide(selected, decision) {
      const [first] = selected;
      if (selected.length === 1 && first && isGroup(first)) decideAs(first, decision);
      else
        actions.decide(
          [...new Set(selected.flatMap((item) => (isGroup(item) ? item.rows : [item])))],
          decision,
        );
      marks?.update();
    },
    open: (row) => navigation.choose(whyOf(address, row)),
    begin: setDeciding,
    marksOn: (row) => marks?.on(row),
    whole: (group) => (
      <>
        <b>{count(group.rows.length, "row")}</b> {group.words}{" "}
        <Choice
          label={`Decision on ${count(group.rows.length, "row")} ${group.words}`}
          chosen=""
          choose={(decision) => decideAs(group, decision)}
        />
      </>
    ),
  });
  useEffect(() => {
    function key(event: KeyboardEvent): void {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
      const isInField = event.target instanceof Element && event.target.matches("input, select, textarea");
      if (isUndo && !isInField) {
        event.preventDefault();
        actions.undo();
      } else if (keyFor(event) === "?") setKeys(true);
    }
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });

  return (
    <div class={isDeciding ? "review deciding" : "review"} {...grid.pointer}>
      <ReviewHead {...actions} address={address} own={own} name={isDeciding ? nameOf(subject) : ""}>
        {isDeciding && (
          <Button class="btn" onClick={() => setDeciding(false)}>
            Show all
          </Button>
        )}
        <Select
          label="Rows"
          value={only}
          of={earlier ? { ...ONLY, [SINCE]: "new or changed" } : ONLY}
          choose={setOnly}
        />
        <Select
          label="Filter by role"
          value={address.role ?? ""}
          of={roles}
          choose={(role) => navigation.choose(withDetail(address, "role", role))}
        />
        <Select
          label="Group"
          value={by}
          of={earlier ? { ...BY, since: "by last time" } : BY}
          choose={setBy}
        />
        <Narrow address={address} />
        <Button class="btn" aria-label="Keys" onClick={() => setKeys(true)}>
          ?
        </Button>
        <Afterwards {...actions} />
      </ReviewHead>
      {removal.question}
      {keys && <Keys onClose={() => setKeys(false)} />}
      {review && (
        <List<Item>
          list={list}
          address={address}
          caption={`Review of ${review.sheet.covers}`}
          columns={columns}
          rowId={(item) => item.key}
          step={(item) => String(apart.has(item.key))}
          grid={grid}
          selected={address.on && `${address.on} ${address.why}`}
          foot={() => {
            const { covers, revision, imported } = review.sheet;
            const of = `${capital(covers)}; revision ${revision}, imported ${moment(imported)}.`;
            return `${count(length, "row")}${filterPhrase(address)}, by content, then by member id. ${of}`;
          }}
          empty="There is nothing to decide here."
          emptyRole={`No row of this sheet has ${address.role}.`}
        />
      )}
      {small && marks && items[grid.at] && (
        <Thumb item={items[grid.at]} marks={marks} mark={actions.mark} decide={grid.decide} />
      )}
    </div>
  );
}

/** The rows in groups, the largest first, each below what its rows have in common. */
function grouped(rows: readonly SheetRow[], by: string, earlier: ReviewActions["earlier"]): Item[] {
  const wordsOf = (row: SheetRow) => {
    if (by === "role") return `with ${row.role}`;
    if (by === "source" || earlier === undefined) return sourceOf(row);
    const then = earlier.get(row.key);
    return then === undefined
      ? "new since last time"
      : isChangedSince(row, earlier)
        ? "changed since last time"
        : "as last time";
  };
  const groups = Map.groupBy(rows, wordsOf);
  return [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .flatMap(([words, some]): Item[] => [{ key: `group ${words}`, words, rows: some }, ...some]);
}

interface ThumbProps extends Pick<ReviewActions, "mark"> {
  readonly item: Item | undefined;
  readonly marks: SheetMarks;
  decide(decision: string): void;
}

/** On a phone: the row with the focus, its comment, and its three buttons under the thumb. */
function Thumb({ item, marks, mark, decide }: ThumbProps) {
  if (item === undefined) return null;
  const about = isGroup(item) ? `${count(item.rows.length, "row")} ${item.words}` : aboutRow(item);
  const shown = isGroup(item) ? undefined : shownMark(marks.on(item));
  return (
    <div class="thumb">
      <p>{about}</p>
      {shown && !isGroup(item) && (
        <input
          aria-label={`Comment on ${about}`}
          placeholder="Comment"
          value={shown.comment}
          onInput={({ currentTarget }) => mark(item, { comment: currentTarget.value })}
        />
      )}
      <Choice label={`Decision on ${about}`} chosen={shown?.decision ?? ""} choose={decide} />
    </div>
  );
}

interface Deciding {
  /** Called when the reviewer begins to decide by keys, and with `false` when Escape ends that. */
  begin(isDeciding: boolean): void;
  marksOn(row: SheetRow): RowMarks | undefined;
  decide(items: readonly Item[], decision: string): void;
  open(row: SheetRow): void;
  whole(group: Group): ComponentChildren;
}

const KEYS: Readonly<Record<string, string>> = { k: "keep", r: "remove", a: "ask" };

/** The row with the focus, the range that Shift selects from it, and what keys do there. */
function useCursor(items: readonly Item[], { begin, marksOn, decide, open, whole }: Deciding) {
  const [at, setAt] = useState(0);
  const anchor = useRef<number | undefined>(undefined);
  const isExtending = useRef(false);
  const [from, to] = [Math.min(at, anchor.current ?? at), Math.max(at, anchor.current ?? at)];

  function extend(row: number): void {
    anchor.current ??= at;
    isExtending.current = true;
    grid.go(Math.max(0, Math.min(items.length - 1, row)));
  }

  const isOpen = (row: SheetRow) => !marksOn(row)?.mark?.decision;

  /** The next row, or group with a row, that is not decided; after the last one, the first one. */
  function next(after: number): number {
    for (let step = 1; step < items.length; step++) {
      const place = (after + step) % items.length;
      const item = items[place];
      if (item && (isGroup(item) ? item.rows.some(isOpen) : isOpen(item))) return place;
    }
    return Math.min(after + 1, items.length - 1);
  }

  /** Decides on the selected rows, and goes on to the next one. */
  function decideHere(decision: string): void {
    begin(true);
    decide(items.slice(from, to + 1), decision);
    grid.go(next(to));
  }

  const grid: Grid<Item> & { pointer: object; decide(decision: string): void } = {
    decide: decideHere,
    at: Math.min(at, items.length - 1),
    go() {},
    whole: (item) => (isGroup(item) ? whole(item) : undefined),
    look: (item, row) => ({
      class: isGroup(item) ? "group" : isOpen(item) ? "" : "done",
      shown: isGroup(item) ? undefined : marksOn(item),
      isSelected: anchor.current !== undefined && row >= from && row <= to,
    }),
    focus(row) {
      if (!isExtending.current) anchor.current = undefined;
      isExtending.current = false;
      setAt(row);
    },
    key(event, row) {
      const { key, shiftKey, target } = event;
      const isInField = target instanceof HTMLInputElement;
      if (isInField) {
        if (key !== "Enter" && key !== "Escape") return false;
        grid.go(row);
        return true;
      }
      const steps: Readonly<Record<string, number>> = {
        ArrowUp: row - 1,
        ArrowDown: row + 1,
        Home: 0,
        End: items.length - 1,
      };
      if (shiftKey && steps[key] !== undefined) {
        extend(steps[key]);
        return true;
      }
      const item = items[row];
      const pressed = keyFor(event).toLowerCase();
      const decision = KEYS[pressed];
      if (item === undefined) return false;
      if (decision !== undefined) decideHere(decision);
      else if (pressed === "escape") {
        begin(false);
        return false;
      } else if (pressed === "c" && !isGroup(item)) {
        document.querySelector<HTMLInputElement>(`[data-row="${row}"] .c-comment input`)?.focus();
      } else if (pressed === "enter" && target instanceof HTMLTableRowElement && !isGroup(item)) open(item);
      else return false;
      return true;
    },
    pointer: {
      onMouseDown(event: MouseEvent) {
        const { target } = event;
        const row =
          target instanceof Element &&
          !target.closest("input, button") &&
          target.closest<HTMLElement>("[data-row]");
        if (!row || !event.shiftKey) return;
        event.preventDefault();
        extend(Number(row.dataset["row"]));
      },
    },
  };
  // Whoever comes to a review comes to decide: without another place, the focus is on its first row.
  const isReady = items.length > 0;
  useEffect(() => {
    const { activeElement } = document;
    if (isReady && (activeElement === document.body || activeElement?.id === "heading")) grid.go(grid.at);
  }, [isReady]);
  return grid;
}

const MEANINGS = [
  ["K, R, A", "keep, remove or ask, and go to the next undecided row"],
  ["↑ ↓ Home End", "go to another row"],
  ["Shift with these, or with a click", "select a range, to decide on it together"],
  ["C", "write the comment; Enter returns to the row"],
  ["Enter", "why this role, beside the list"],
  ["Ctrl Z, ⌘ Z", "undo the last decision"],
  ["?", "this sheet of keys"],
] as const;

function Keys({ onClose }: { onClose(): void }) {
  const box = useRef<HTMLDialogElement>(null);
  return (
    <Dialog box={box} title="Keys" onClose={onClose}>
      <dl class="keys">
        {MEANINGS.map(([key, meaning]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

interface HeadProps extends ReviewActions, Pick<ListProps, "address"> {
  /** The number of rows about the reviewer. */
  readonly own: number;
  /** The name of the subject, if the head of the page does not show it. */
  readonly name: string;
  readonly children: ComponentChildren;
}

/** What can be done with the sheet, how far it is decided, and what happened to it. */
function ReviewHead({ children, ...props }: HeadProps) {
  const { review, failure, status, asked, address } = props;
  const { client, navigation } = useSession();
  const { id: organization = "" } = useValue(client.me)?.organization ?? {};
  const at = useValue(navigation.at);
  const { text = "", undo } = review?.draft.replaced ?? {};
  const back = undo ?? (props.canUndo ? props.undo : undefined);
  return (
    <div class="marks">
      <div class="bar">
        {children}
        <Button class="btn" disabled={!review} onClick={() => void props.save()}>
          Save sheet
        </Button>
        <FileButton label="Open a sheet" field="A sheet to open" open={(file) => void props.open(file)} />
        <FileButton label="Last time" field="An earlier report" open={(file) => void props.compare(file)} />
        {props.earlier && (
          <Button class="btn" onClick={() => void props.compare()}>
            Without last time
          </Button>
        )}
        {review && !review.draft.isEmpty && (
          <Button class="btn" onClick={props.discard}>
            Discard decisions
          </Button>
        )}
      </div>
      {asked && (
        <Question
          label={asked.label}
          answers={[
            [asked.no, props.dismiss],
            [asked.yes, asked.act],
          ]}
        >
          {asked.text}
        </Question>
      )}
      <p>
        {props.name && <bdi>{props.name}. </bdi>}
        <b>Marks only: nothing is changed.</b>{" "}
        {review ? progressOf(review, props.own) : failure === undefined && "Reading the sheet."}
      </p>
      {review && <MarksOfGoneRows {...review} />}
      {review && !review.draft.isKept && (
        <p role="alert">
          This browser does not keep the draft: save the sheet to a file before you leave the page.
        </p>
      )}
      <p role="status" class={status || text ? "toast" : undefined}>
        {[status, text].filter(Boolean).join(" ")}{" "}
        {back && (status || text) && <Button onClick={back}>Undo</Button>}
      </p>
      {failure !== undefined && (
        <p role="alert">
          {failure instanceof Refusal ? failure.message : "The sheet could not be read."}{" "}
          <Button onClick={props.retry}>Try again</Button>
        </p>
      )}
      {failure instanceof Refusal && <Command text={reportCommand(address, organization, at)} />}
    </div>
  );
}

function progressOf(
  { sheet, marks: { decisions, decided, unsaved, again, newer } }: OpenReview,
  own: number,
): string {
  const removals = decisions.get("remove") ?? 0;
  return [
    `${figure(decided)} of ${count(sheet.rows.length, "row")} decided${unsaved > 0 ? ", not saved to a file yet" : ""}${removals > 0 ? `; ${figure(removals)} to remove` : ""}.`,
    own > 0 && `${count(own, "row")} ${own === 1 ? "is" : "are"} your own.`,
    again.size > 0 &&
      `${count(again.size, "row")} changed after the decision: decide again. ${again.size === 1 ? "It comes" : "They come"} first.`,
    newer > 0 &&
      `${count(newer, "row")} ${newer === 1 ? "has" : "have"} a mark on a newer revision, which stays as it is.`,
  ]
    .filter(Boolean)
    .join(" ");
}
/** The menu of roles, each with the number of its rows. */
function roleChoices(rows: readonly SheetRow[]): Record<string, string> {
  const counts = new Map<string, number>();
  for (const { role } of rows) counts.set(role, (counts.get(role) ?? 0) + 1);
  const words = (role: string) => [role, `${role} (${figure(counts.get(role) ?? 0)})`] as const;
  return { "": "any role", ...Object.fromEntries(ROLES.toReversed().map(words)) };
}

/** Lists the marks on rows that the sheet no longer has, by id: drafts hold no names. */
function MarksOfGoneRows({ marks, draft, sheet }: OpenReview) {
  const gone = [...marks.gone.values()];
  if (gone.length === 0) return null;
  function discard(): void {
    const rows = new Set(gone.map(({ row }) => row));
    const marked = count(gone.length, "marked row");
    draft.replace((mark) => rows.has(mark.row) && isKnown(mark, sheet), [], `Discarded: ${marked}.`);
  }
  return (
    <details>
      <summary>
        {count(gone.length, "marked row")} {gone.length === 1 ? "is" : "are"} no longer in the sheet, and will
        not be in the file
      </summary>
      <ExpandableList
        items={gone}
        first={10}
        noun="more row"
        item={({ row, role, decision, comment }) => (
          <li key={row}>
            <bdi>{row}</bdi>
            {role && `, then ${role}`}: {[decision, comment && `“${comment}”`].filter(Boolean).join(", ")}
          </li>
        )}
      />
      <Button onClick={discard}>Discard these</Button>
    </details>
  );
}

interface UnsavedDecisionsProps {
  holder: Holder;
  /** For each sheet, the number of rows with an unsaved mark. */
  unsaved: ReadonlyMap<string, number>;
  onLeave(): void;
  onStay(): void;
}

/** Asks before signing out, which discards marks that no file says. */
export function UnsavedDecisions({ holder, unsaved, onLeave, onStay }: UnsavedDecisionsProps) {
  const { navigation, drafts } = useSession();
  const marks = [...unsaved.values()].reduce((sum, each) => sum + each, 0);
  const [review] = [...unsaved.keys()].flatMap((covers) => reviewOf(covers) ?? []);
  function save(): void {
    if (review) navigation.choose(review);
    onStay();
  }
  return (
    <Question
      label="Unsaved decisions"
      answers={[
        ["Stay signed in", onStay],
        ["Go and save the sheet", save],
        ["Discard and sign out", () => void drafts.discard(holder).then(onLeave)],
      ]}
    >
      {count(marks, "decision")} of a review {marks === 1 ? "is" : "are"} not saved to a file yet.
    </Question>
  );
}

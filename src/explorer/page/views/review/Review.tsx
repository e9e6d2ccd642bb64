import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import { isRole } from "../../../../domain/role.ts";
import { commandLine } from "../../../../domain/text.ts";
import { fileName, openSink } from "../../files/save.ts";
import { List, type ListProps } from "../../list/List.tsx";
import { type RoleCounts, SheetRolesContext } from "../../list/RoleCounts.tsx";
import { Button, Command, FileButton, Question } from "../../parts/controls.tsx";
import { Observable, useValue } from "../../parts/observable.ts";
import { ExpandableList } from "../../parts/text.tsx";
import { withoutFilters } from "../../session/address.ts";
import { Refusal } from "../../session/client.ts";
import { rowsInMemory } from "../../session/rows.ts";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/dates.ts";
import { filterPhrase } from "../../words/filters.ts";
import { capital, rawName } from "../../words/names.ts";
import { count, figure } from "../../words/numbers.ts";
import { columnsOf } from "./columns.tsx";
import { type Draft, newestOf } from "./drafts.ts";
import { type Holder, type KeptMark, holderOf, keyOf } from "./marks.ts";
import { check, marksOf, seenOn } from "./opened.ts";
import { type Rebased, isKnown, rebase, shownMark } from "./rebase.ts";
import { type Mark, type Sheet, type SheetRow, isEmpty, parseSheet, reviewOf, write } from "./sheet.ts";

interface Asked {
  readonly label: string;
  readonly text: string;
  readonly no: string;
  readonly yes: string;
  act(): void;
}

const NEVER = new Observable(0);

/** The sheet of an access review, with a decision and a comment per row. It changes nothing in the organization. */
export function Review({ address, subject }: ListProps) {
  const { client, navigation, announcement, drafts } = useSession();
  const me = useValue(client.me);
  const turn = useValue(client.reloads);
  const [attempt, setAttempt] = useState(0);
  const [sheet, setSheet] = useState<Sheet>();
  const [draft, setDraft] = useState<Draft>();
  const [status, setStatus] = useState("");
  const [failure, setFailure] = useState<unknown>();
  const [asked, setAsked] = useState<Asked>();
  const changes = useValue(draft?.changes ?? NEVER);
  const holder = me && holderOf(me);
  const { view, id, role } = address;

  useEffect(() => {
    if (!holder) return;
    const stop = new AbortController();
    let opened: Draft | undefined;
    async function read(whose: Holder): Promise<void> {
      const response = await client.stream({ [view]: id }, stop.signal, "report");
      const next = parseSheet(await response.text());
      opened = await drafts.open(whose, next.covers);
      if (stop.signal.aborted) return drafts.close(opened);
      setSheet(next);
      setDraft(opened);
    }
    setSheet(undefined);
    setDraft(undefined);
    setStatus("");
    setFailure(undefined);
    setAsked(undefined);
    read(holder).catch((error: unknown) => stop.signal.aborted || setFailure(error));
    return () => {
      stop.abort();
      if (opened) drafts.close(opened);
    };
  }, [client, turn, view, id, holder?.reviewer, attempt]);

  const keys = useMemo(() => new Set(sheet?.rows.map(({ key }) => key)), [sheet]);
  const rebased = useMemo(
    () => (sheet && draft ? rebase(draft, sheet, keys) : undefined),
    [sheet, draft, changes],
  );
  // A row to be decided again stays apart when it is decided, or it would move from under the reviewer's hands.
  const apart = useMemo(() => new Set<string>(), [sheet]);
  for (const { key } of rebased?.again ?? []) apart.add(key);
  const list = useMemo(() => {
    const rows = sheet?.rows.filter((row) => role === undefined || row.role === role) ?? [];
    return rowsInMemory(
      apart.size === 0 ? rows : rows.toSorted((a, b) => Number(apart.has(b.key)) - Number(apart.has(a.key))),
    );
  }, [sheet, apart.size, role]);
  const tellRoles = useContext(SheetRolesContext);
  useEffect(() => {
    tellRoles(sheet && countRoles(sheet));
    return () => tellRoles(undefined);
  }, [sheet]);

  function mark(row: SheetRow, change: Partial<Mark>): void {
    if (!sheet || !draft || !rebased || !holder) return;
    const rowMarks = rebased.on(row);
    const { mark: before } = rowMarks;
    const seen = seenOn(row, sheet, holder);
    const next: KeptMark = {
      ...seen,
      ...shownMark(rowMarks),
      ...change,
      revision: Math.max(seen.revision, before?.revision ?? 0),
      saved: before?.saved,
    };
    setStatus("");
    const removed = before && keyOf(before) !== keyOf(next) ? [before] : [];
    if (isEmpty(next) && !next.saved) draft.change([], before ? [before] : []);
    else draft.change([next], removed);
  }

  async function save(): Promise<void> {
    if (!sheet || !draft) return;
    const { revision, imported: importedAt } = sheet;
    const sink = await openSink(
      fileName(subject ? rawName(subject) : id, withoutFilters(address), { revision, importedAt }),
    );
    if (!sink) return;
    try {
      const { on } = rebase(draft, sheet, keys);
      const text = write(sheet, (row) => shownMark(on(row)));
      const written = sheet.rows.flatMap((row) => {
        const rowMarks = on(row);
        const { mark, before = mark } = rowMarks;
        return before ? [[keyOf(mark ?? before), shownMark(rowMarks)] as const] : [];
      });
      await sink.write(new TextEncoder().encode(text));
      await sink.close();
      await draft.save(new Map(written));
      setStatus(`Saved ${count(sheet.rows.length, "row")}.`);
      announcement.set("Saved.");
    } catch {
      setStatus("The sheet was not saved.");
    }
  }

  /** Makes the decisions of a file the draft of its sheet, and shows that sheet. */
  async function open(file: File): Promise<void> {
    if (!holder) return;
    setStatus("");
    setAsked(undefined);
    try {
      const next = parseSheet(await file.text());
      const shown = client.shown.value?.revision ?? 0;
      const { review, checked } = await check(next, holder.organization, shown);
      const target = await drafts.open(holder, next.covers);
      const marks = marksOf(next, holder);
      const act = () => {
        setAsked(undefined);
        target.replace(({ revision }) => revision <= shown, marks, `Opened; ${checked}`);
        if (target !== draft) navigation.choose(review);
      };
      const there = markedIn(target);
      if (there.length === 0) return act();
      const last = moment(new Date(Math.max(...there.map(({ at }) => at))).toISOString());
      setAsked({
        label: "Open a sheet",
        text: `The draft of ${next.covers} has ${count(there.length, "marked row")}, the last one marked ${last}. ${file.name} has ${figure(marks.length)}, and would replace them.`,
        no: "Keep the draft",
        yes: "Open the file",
        act,
      });
    } catch (error) {
      setStatus(`${file.name} was not opened. ${error instanceof Error ? error.message : ""}`);
    }
  }

  function discard(draft: Draft, sheet: Sheet): void {
    const marked = count(markedIn(draft).length, "marked row");
    setStatus("");
    setAsked({
      label: "Discard decisions",
      text: `Discard the decisions and comments of ${marked}?`,
      no: "Keep them",
      yes: "Discard",
      act() {
        setAsked(undefined);
        draft.replace((mark) => isKnown(mark, sheet), [], `Discarded: ${marked}.`);
      },
    });
  }

  const { decided = 0, unsaved = 0, again = [], newer = 0 } = rebased ?? {};
  const { text = "", undo } = draft?.replaced ?? {};
  return (
    <>
      <div class="marks">
        <p class="tools">
          <Button class="btn" disabled={!rebased} onClick={() => void save()}>
            Save sheet
          </Button>
          <FileButton label="Open a sheet" field="A sheet to open" open={(file) => void open(file)} />
          {sheet && draft && !draft.isEmpty && (
            <Button class="btn" onClick={() => discard(draft, sheet)}>
              Discard decisions
            </Button>
          )}
        </p>
        {asked && (
          <Question
            label={asked.label}
            answers={[
              [asked.no, () => setAsked(undefined)],
              [asked.yes, asked.act],
            ]}
          >
            {asked.text}
          </Question>
        )}
        <p>
          <b>Marks only: nothing is changed.</b>{" "}
          {sheet
            ? `${capital(sheet.covers)}; revision ${sheet.revision}, imported ${moment(sheet.imported)}. ${figure(decided)} of ${count(sheet.rows.length, "row")} decided${unsaved > 0 ? ", not saved to a file yet" : ""}.`
            : failure === undefined && "Reading the sheet."}
          {again.length > 0 &&
            ` ${count(again.length, "row")} changed after the decision: decide again. ${again.length === 1 ? "It comes" : "They come"} first.`}
          {newer > 0 &&
            ` ${count(newer, "row")} ${newer === 1 ? "has" : "have"} a mark on a newer revision, which stays as it is.`}
        </p>
        {sheet && rebased && draft && <MarksOfGoneRows rebased={rebased} draft={draft} sheet={sheet} />}
        {draft && !draft.isKept && (
          <p role="alert">
            This browser does not keep the draft: save the sheet to a file before you leave the page.
          </p>
        )}
        <p role="status">
          {[status, text].filter(Boolean).join(" ")} {undo && <Button onClick={undo}>Undo</Button>}
        </p>
        {failure !== undefined && (
          <p role="alert">
            {failure instanceof Refusal ? failure.message : "The sheet could not be read."}{" "}
            <Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>
          </p>
        )}
        {failure instanceof Refusal && (
          <Command
            text={`${commandLine("rolebook", "report", `--${view === "member" ? "user" : view}=${id}`)} > review.csv`}
          />
        )}
      </div>
      {sheet && rebased && (
        <List
          list={list}
          address={address}
          caption={`Review of ${sheet.covers}`}
          columns={columnsOf(view, rebased.on, mark)}
          rowId={(row) => row.key}
          step={(row) => String(apart.has(row.key))}
          foot={(total) => `${count(total, "row")}${filterPhrase(address)}, by content, then by member id`}
          empty="Nobody has a role here: there is nothing to decide."
          emptyRole={`No row of this sheet has ${role}.`}
        />
      )}
    </>
  );
}

function countRoles({ rows }: Sheet): RoleCounts {
  const counts = { read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
  for (const { role } of rows) if (isRole(role)) counts[role]++;
  return counts;
}

/** The newest mark of each row that has a decision or a comment. */
function markedIn(draft: Draft): KeptMark[] {
  return [...draft.rows].flatMap(([, marks]) => {
    const newest = newestOf(marks);
    return newest === undefined || isEmpty(newest) ? [] : [newest];
  });
}

/** Lists the marks on rows that the sheet no longer has, by id: drafts hold no names. */
function MarksOfGoneRows({
  rebased: { gone },
  draft,
  sheet,
}: {
  rebased: Rebased;
  draft: Draft;
  sheet: Sheet;
}) {
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

interface Props {
  holder: Holder;
  /** For each sheet, the number of rows with an unsaved mark. */
  unsaved: ReadonlyMap<string, number>;
  onLeave(): void;
  onStay(): void;
}

export function UnsavedDecisions({ holder, unsaved, onLeave, onStay }: Props) {
  const { navigation, drafts } = useSession();
  const marks = [...unsaved.values()].reduce((sum, each) => sum + each, 0);
  const [review] = [...unsaved.keys()].flatMap((covers) => reviewOf(covers) ?? []);
  return (
    <Question
      label="Unsaved decisions"
      answers={[
        [
          "Go and save the sheet",
          () => {
            if (review) navigation.choose(review);
            onStay();
          },
        ],
        ["Discard and sign out", () => void drafts.discard(holder).then(onLeave)],
        ["Stay signed in", onStay],
      ]}
    >
      {count(marks, "decision")} of a review {marks === 1 ? "is" : "are"} not saved to a file yet.
    </Question>
  );
}

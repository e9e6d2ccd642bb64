/** One review while it is open: its sheet from the server, the draft of its marks, and what the reviewer does with them. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { fileName, openSink } from "../../files/save.ts";
import type { ListProps } from "../../list/List.tsx";
import { Observable, useValue } from "../../parts/observable.ts";
import { withoutFilters } from "../../session/address.ts";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/dates.ts";
import { rawName } from "../../words/names.ts";
import { count, figure } from "../../words/numbers.ts";
import { type Draft, newestOf } from "./drafts.ts";
import { type Holder, type KeptMark, holderOf, keyOf } from "./marks.ts";
import {
  type Mark,
  type Sheet,
  type SheetRow,
  checkOpened,
  isEmpty,
  parseSheet,
  writeSheet,
} from "./sheet.ts";
import { type SheetMarks, isKnown, markedNow, marksOfFile, marksOnSheet, shownMark } from "./sheetMarks.ts";

/** A question before marks are replaced. */
interface ReviewQuestion {
  readonly label: string;
  readonly text: string;
  readonly no: string;
  readonly yes: string;
  act(): void;
}

/** A sheet with its draft, and what the draft says about its rows. */
export interface OpenReview {
  readonly sheet: Sheet;
  readonly draft: Draft;
  readonly marks: SheetMarks;
}

export interface ReviewActions {
  /** `undefined` until the sheet and its draft are read. */
  readonly review: OpenReview | undefined;
  /** Why the sheet could not be read. */
  readonly failure: unknown;
  /** What the last action did, in words. */
  readonly status: string;
  readonly asked: ReviewQuestion | undefined;
  /** Reads the sheet once more. */
  retry(): void;
  mark(row: SheetRow, change: Partial<Mark>): void;
  save(): Promise<void>;
  /** Makes the decisions of a file the draft of its sheet, and shows that sheet. */
  open(file: File): Promise<void>;
  discard(): void;
  dismiss(): void;
}

const NEVER = new Observable(0);

export function useReview({ address, subject }: ListProps): ReviewActions {
  const { client, navigation, announcement, drafts } = useSession();
  const me = useValue(client.me);
  const reload = useValue(client.reloads);
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<{ readonly sheet: Sheet; readonly draft: Draft }>();
  const [status, setStatus] = useState("");
  const [failure, setFailure] = useState<unknown>();
  const [asked, setAsked] = useState<ReviewQuestion>();
  const changes = useValue(opened?.draft.changes ?? NEVER);
  const holder = me && holderOf(me);
  const { view, id } = address;

  useEffect(() => {
    if (!holder) return;
    const stop = new AbortController();
    let draft: Draft | undefined;
    async function read(whose: Holder): Promise<void> {
      const response = await client.stream({ [view]: id }, stop.signal, "report");
      const sheet = parseSheet(await response.text());
      draft = await drafts.open(whose, sheet.covers);
      if (stop.signal.aborted) return drafts.close(draft);
      setOpened({ sheet, draft });
    }
    setOpened(undefined);
    setStatus("");
    setFailure(undefined);
    setAsked(undefined);
    read(holder).catch((error: unknown) => stop.signal.aborted || setFailure(error));
    return () => {
      stop.abort();
      if (draft) drafts.close(draft);
    };
  }, [client, reload, view, id, holder?.reviewer, attempt]);

  const review = useMemo(
    () => opened && { ...opened, marks: marksOnSheet(opened.draft, opened.sheet) },
    [opened, changes],
  );

  function mark(row: SheetRow, change: Partial<Mark>): void {
    if (!review || !holder) return;
    const { sheet, draft, marks } = review;
    const rowMarks = marks.on(row);
    const { mark: before } = rowMarks;
    const now = markedNow(row, sheet, holder);
    const next: KeptMark = {
      ...now,
      ...shownMark(rowMarks),
      ...change,
      revision: Math.max(now.revision, before?.revision ?? 0),
      saved: before?.saved,
    };
    setStatus("");
    const removed = before && keyOf(before) !== keyOf(next) ? [before] : [];
    if (isEmpty(next) && !next.saved) draft.change([], before ? [before] : []);
    else draft.change([next], removed);
  }

  async function save(): Promise<void> {
    if (!opened) return;
    const { sheet, draft } = opened;
    const { revision, imported: importedAt } = sheet;
    const name = fileName(subject ? rawName(subject) : id, withoutFilters(address), { revision, importedAt });
    const sink = await openSink(name);
    if (!sink) return;
    try {
      // The marks at the time when the file is written.
      const { on } = marksOnSheet(draft, sheet);
      const text = writeSheet(sheet, (row) => shownMark(on(row)));
      const written = sheet.rows.flatMap((row) => {
        const rowMarks = on(row);
        const kept = rowMarks.mark ?? rowMarks.before;
        return kept ? [[keyOf(kept), shownMark(rowMarks)] as const] : [];
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

  async function open(file: File): Promise<void> {
    if (!holder) return;
    setStatus("");
    setAsked(undefined);
    try {
      const sheet = parseSheet(await file.text());
      const shown = client.shown.value?.revision ?? 0;
      const { review: to, checked } = await checkOpened(sheet, holder.organization, shown);
      const draft = await drafts.open(holder, sheet.covers);
      const marks = marksOfFile(sheet, holder);
      const act = () => {
        setAsked(undefined);
        draft.replace(({ revision }) => revision <= shown, marks, `Opened; ${checked}`);
        if (draft !== opened?.draft) navigation.choose(to);
      };
      const there = markedIn(draft);
      if (there.length === 0) return act();
      const last = moment(new Date(Math.max(...there.map(({ at }) => at))).toISOString());
      setAsked({
        label: "Open a sheet",
        text: `The draft of ${sheet.covers} has ${count(there.length, "marked row")}, the last one marked ${last}. ${file.name} has ${figure(marks.length)}, and would replace them.`,
        no: "Keep the draft",
        yes: "Open the file",
        act,
      });
    } catch (error) {
      setStatus(`${file.name} was not opened. ${error instanceof Error ? error.message : ""}`);
    }
  }

  function discard(): void {
    if (!opened) return;
    const { sheet, draft } = opened;
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

  const retry = () => setAttempt(attempt + 1);
  const dismiss = () => setAsked(undefined);
  return { review, failure, status, asked, retry, mark, save, open, discard, dismiss };
}

/** The newest mark of each row that has a decision or a comment. */
function markedIn(draft: Draft): KeptMark[] {
  return [...draft.rows].flatMap(([, marks]) => newestOf(marks) ?? []).filter((mark) => !isEmpty(mark));
}

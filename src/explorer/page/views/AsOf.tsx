/** Choosing the revision to show, and what is shown if that revision cannot be read. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Me, RevisionNode, RevisionsAnswer } from "../../wire/answers.ts";
import { RevisionLink } from "../parts/Link.tsx";
import { Button, DayField, Dialog } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { useSession } from "../session/session.ts";
import { boundsOf, clock, date, dayOf, fullMoment, moment } from "../words/dates.ts";
import { figure } from "../words/numbers.ts";
import { Heading, useDocumentTitle } from "./Page.tsx";

/** The dialog that chooses the revision to show: a day, then a revision of that day. */
export function RevisionChooser() {
  const { choosingRevision } = useSession();
  return useValue(choosingRevision) ? <RevisionDialog /> : null;
}

function RevisionDialog() {
  const { client, navigation, choosingRevision } = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = useValue(client.shown);
  const at = useValue(navigation.at);
  const earliest = useValue(client.me)?.earliest;
  const today = dayOf(new Date());
  const [day, setDay] = useState(() => (shown ? dayOf(shown.importedAt) : today));
  const { revisions, before, state, more } = useRevisions(day);

  const row = (revision: RevisionNode, when: string) => (
    <li key={revision.revision}>
      <RevisionLink
        at={String(revision.revision)}
        current={revision.revision === shown?.revision}
        onGo={() => dialog.current?.close()}
      >
        <b>{when}</b>
        <span class="what">
          {revision.command}
          {revision.note !== undefined && <bdi class="note">{revision.note}</bdi>}
        </span>
        <span class="dim">revision {figure(revision.revision)}</span>
      </RevisionLink>
    </li>
  );
  return (
    <Dialog box={dialog} title="Show the directory as of" onClose={() => choosingRevision.set(false)}>
      <div class="asof-day">
        <DayField
          label="Date"
          min={earliest ? dayOf(earliest.importedAt) : ""}
          max={today}
          value={day}
          onChoose={setDay}
        />
        {at !== undefined && (
          <RevisionLink at={undefined} class="link" onGo={() => dialog.current?.close()}>
            Show today
          </RevisionLink>
        )}
      </div>
      <div class="days" aria-busy={state === "reading"}>
        {revisions.length > 0 && (
          <ul aria-label={`Revisions of ${date(day)}`}>
            {revisions.map((each) => row(each, clock(each.importedAt)))}
          </ul>
        )}
        {state === "more" && <Button onClick={more}>Earlier that day</Button>}
        {before && (
          <>
            <p class="dim">
              {revisions.length === 0
                ? `Nothing changed on ${date(day)}. The revision at that time:`
                : "The revision when the day began:"}
            </p>
            <ul aria-label="The revision before">{row(before, moment(before.importedAt))}</ul>
          </>
        )}
        {state === "whole" && !before && (
          <p class="dim">
            {revisions.length === 0 ? `Nothing is kept from ${date(day)}.` : "Nothing is kept from before."}{" "}
            {revisions.length === 0 && earliest && (
              <RevisionLink at={String(earliest.revision)} class="link" onGo={() => dialog.current?.close()}>
                Show the earliest, of {moment(earliest.importedAt)}
              </RevisionLink>
            )}
          </p>
        )}
        {state === "failed" && <p class="dim">The revisions could not be read.</p>}
      </div>
      <p class="vh" role="status">
        {state === "reading" ? "" : `${figure(revisions.length)} of ${date(day)}`}
      </p>
    </Dialog>
  );
}

/** The revisions of a day that are loaded so far, latest first. */
interface DayOfRevisions {
  readonly day: string;
  readonly revisions: readonly RevisionNode[];
  /** The last revision before the day; absent if none is readable. */
  readonly before?: RevisionNode;
  readonly state: "reading" | "more" | "whole" | "failed";
}

function useRevisions(day: string): DayOfRevisions & { more(): void } {
  const { client } = useSession();
  const [known, setKnown] = useState<DayOfRevisions & { next?: string }>({
    day,
    revisions: [],
    state: "reading",
  });
  const shown = known.day === day ? known : { day, revisions: [], state: "reading" as const };

  async function read(page: string | undefined, signal?: AbortSignal): Promise<void> {
    const { from, to } = boundsOf(day);
    setKnown({ ...shown, state: "reading" });
    const { items, next } = await client.get<RevisionsAnswer>("revisions", { until: to, page }, signal);
    if (signal?.aborted) return;
    const before = items.find(({ importedAt }) => importedAt < from);
    const revisions = [...shown.revisions, ...items.filter(({ importedAt }) => importedAt >= from)];
    const more = before === undefined && next !== undefined;
    setKnown({
      day,
      revisions,
      state: more ? "more" : "whole",
      ...(before && { before }),
      ...(more && { next: next.page }),
    });
  }

  function begin(page: string | undefined, signal?: AbortSignal): void {
    read(page, signal).catch(() => signal?.aborted || setKnown({ ...shown, state: "failed" }));
  }

  useEffect(() => {
    const stop = new AbortController();
    begin(undefined, stop.signal);
    return () => stop.abort();
  }, [client, day]);
  return { ...shown, more: () => begin(known.next) };
}

/** Replaces the view if the requested revision cannot be read: says why, and links to revisions that can. */
export function Unreadable() {
  const { client, navigation } = useSession();
  const at = useValue(navigation.at) ?? "";
  const [me, setMe] = useState<Me>();
  useDocumentTitle("Not kept");
  useEffect(() => {
    const stop = new AbortController();
    client.now(stop.signal).then(setMe, () => {});
    return () => stop.abort();
  }, [client]);
  const { earliest } = me ?? {};
  return (
    <>
      <Heading of={`at ${at}`} ready>
        {reason(at)}
      </Heading>
      <p class="lead">
        {earliest && me && (
          <>
            The earliest that can be shown is revision {figure(earliest.revision)}, of{" "}
            <RevisionLink at={String(earliest.revision)} class="link">
              {fullMoment(earliest.importedAt)}
            </RevisionLink>
            ; the newest is revision {figure(me.revision)}, of{" "}
            <RevisionLink at={undefined} class="link">
              {fullMoment(me.importedAt)}
            </RevisionLink>
            .
          </>
        )}
      </p>
    </>
  );
}

function reason(at: string): string {
  if (/^[1-9]\d{0,15}$/.test(at)) return `Revision ${at} never existed here, or is no longer kept`;
  const time = Date.parse(at);
  if (!/^\d{4}-\d\d-\d\d/.test(at) || Number.isNaN(time))
    return `“${at.slice(0, 40)}” is neither a date nor a revision`;
  return time > Date.now() ? `${at} is in the future` : `Nothing is kept from ${at}`;
}

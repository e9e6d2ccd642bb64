import { useRef, useState } from "preact/hooks";
import type { RevisionNode } from "../../../wire/past.ts";
import { useCell } from "../../parts/cell.ts";
import { DayField } from "../../parts/controls/DayField.tsx";
import { Dialog } from "../../parts/controls/Dialog.tsx";
import { useSession } from "../../session/session.ts";
import { clock, date, moment } from "../../words/date.ts";
import { figure } from "../../words/number.ts";
import { AtLink } from "./AtLink.tsx";
import { dayOf } from "../../words/day.ts";
import { useRevisions } from "./useRevisions.ts";
import { Button } from "../../parts/controls/Button.tsx";

/** The dialog that chooses the revision to show: a day, then a revision of that day. */
export function Chooser() {
  const { choosing } = useSession();
  return useCell(choosing) ? <Box /> : null;
}

function Box() {
  const { client, walk, choosing } = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const shown = useCell(client.shown);
  const at = useCell(walk.at);
  const earliest = useCell(client.me)?.earliest;
  const today = dayOf(new Date());
  const [day, setDay] = useState(() => (shown ? dayOf(shown.importedAt) : today));
  const { revisions, before, state, more } = useRevisions(day);

  const row = (revision: RevisionNode, when: string) => (
    <li key={revision.revision}>
      <AtLink
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
      </AtLink>
    </li>
  );
  return (
    <Dialog box={dialog} title="Show the directory as of" onClose={() => choosing.set(false)}>
      <div class="asof-day">
        <DayField
          label="Date"
          min={earliest ? dayOf(earliest.importedAt) : ""}
          max={today}
          value={day}
          onChoose={setDay}
        />
        {at !== undefined && (
          <AtLink at={undefined} class="link" onGo={() => dialog.current?.close()}>
            Show today
          </AtLink>
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
              <AtLink at={String(earliest.revision)} class="link" onGo={() => dialog.current?.close()}>
                Show the earliest, of {moment(earliest.importedAt)}
              </AtLink>
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

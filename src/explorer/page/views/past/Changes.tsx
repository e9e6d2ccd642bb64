import type { Change } from "../../../wire/past.ts";
import type { Address } from "../../session/address/address.ts";
import { Failure } from "../../list/Failure.tsx";
import type { ListProps } from "../../list/props.ts";
import { Link } from "../../parts/Link.tsx";
import { Words } from "../../parts/Words.tsx";
import { fullMoment } from "../../words/date.ts";
import { count, figure } from "../../words/number.ts";
import { capital, nameOf } from "../../words/names.ts";
import { Changed } from "./Changed.tsx";
import { contentWords, peopleWords } from "./effect.ts";
import { useChanges } from "./useChanges.ts";
import { Button } from "../../parts/controls/Button.tsx";

/** The revisions that changed a content, a member or a team. If the address names two revisions, their differences. */
export function Changes(props: ListProps) {
  const { earlier, later } = props.address;
  if (earlier === undefined || later === undefined) return <Log {...props} />;
  return <Changed {...props} earlier={earlier} later={later} />;
}

function Log({ address, subject }: ListProps) {
  const { view, id } = address;
  const { known, state, failure, cancel, again } = useChanges({ [view]: id });
  const { changes, done, of } = known;
  const looked = of === 0 ? "" : `${figure(done)} of ${count(of, "revision")} looked at`;
  const none = changes.length === 0 && state === "whole";
  return (
    <>
      <footer class="foot">
        <span class="status">{`${count(changes.length, "revision")} that changed ${nameOf(subject)}${state === "whole" ? "" : `, ${looked}`}`}</span>
        {state === "reading" && of > 0 && <Button onClick={cancel}>Cancel</Button>}
        {state === "cancelled" && <Button onClick={again}>Go on</Button>}
      </footer>
      <div
        class="scroll log"
        id="list"
        data-scroll
        role="tabpanel"
        aria-labelledby={`tab-${address.tab}`}
        aria-busy={state === "reading"}
        tabIndex={changes.length === 0 ? 0 : undefined}
      >
        <ol>
          {changes.map((change) => (
            <Entry key={change.revision} change={change} address={address} />
          ))}
        </ol>
        {none && <p class="empty">No revision that is kept changed this {view}.</p>}
        {state === "failed" && <Failure failure={failure} address={address} again={again} />}
      </div>
    </>
  );
}

function Entry({ change, address }: { change: Change; address: Address }) {
  const { revision, importedAt, command, note, earlier, effect, what, more } = change;
  const words = effect && (address.view === "member" ? contentWords(effect) : peopleWords(effect));
  const label = words ?? (address.view === "team" ? "Whom it concerns" : "Open");
  return (
    <li>
      <p class="when">
        <b>{fullMoment(importedAt)}</b>
        <span class="dim">
          revision {figure(revision)}
          {command !== undefined && `, ${command}`}
        </span>
        {note !== undefined && <bdi class="dim">“{note}”</bdi>}
      </p>
      {(what.length > 0 || more > 0) && (
        <ul>
          {what.map((phrase, at) => (
            <li key={at}>
              <Words phrase={phrase} />
            </li>
          ))}
          {more > 0 && <li class="dim">and {count(more, "more record")}</li>}
        </ul>
      )}
      <Link
        to={{ ...address, earlier: String(earlier), later: String(revision) }}
        class="link"
        id={`change-${revision}`}
      >
        {capital(label)}
        <span class="vh"> in revision {figure(revision)}</span>
      </Link>
    </li>
  );
}

/**
 * What follows the decisions: what the removals would change, the change file, the page to sign off, and the outcome of
 * each row. The server answers from the same code as `rolebook review`, and keeps nothing.
 */
import { useRef, useState } from "preact/hooks";
import { plainCell } from "../../../../domain/cell.ts";
import { recordsOf } from "../../files/csv.ts";
import { save } from "../../files/save.ts";
import { Icon } from "../../parts/Icon.tsx";
import { Button, Dialog, Question } from "../../parts/controls.tsx";
import { HOME } from "../../session/address.ts";
import { Refusal } from "../../session/client.ts";
import { useSession } from "../../session/session.ts";
import { count, figure } from "../../words/numbers.ts";
import type { Group } from "./columns.tsx";
import type { ReviewActions } from "./useReview.ts";

/** A line of the preview of `rolebook review --changes`, by column. */
type Line = Readonly<Record<string, string>>;

function linesOf(csv: string): Line[] {
  const [head, ...rows] = recordsOf(csv).map(({ cells }) => cells.map(plainCell));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [head?.[at] ?? "", cell])));
}

function useAnswers({ fileText }: Pick<ReviewActions, "fileText">) {
  const { client } = useSession();
  const [state, setState] = useState("");
  /** Asks the server about the file; `undefined` if it refuses, and then the status says why. */
  async function ask(
    answer: string,
    more: object = {},
    only?: ReadonlySet<string>,
  ): Promise<string | undefined> {
    setState("Working it out.");
    try {
      const body = { report: fileText(only), ...more };
      const response = await client.review(answer, body, AbortSignal.timeout(300_000));
      const text = await response.text();
      setState("");
      return text;
    } catch (error) {
      setState(error instanceof Refusal ? error.message : "The server did not answer.");
      return undefined;
    }
  }
  return { state, setState, ask };
}

/** How many of the preview's removals a change file carries out, and what would remain for a person to decide. */
function carriedOut(lines: readonly Line[]) {
  const done = lines.filter(
    ({ what, note }) => (what === "lost" || what === "lowered") && note === "decided",
  );
  const proposals = new Map(
    lines.flatMap(({ what = "", note = "", effect = "" }) =>
      what === "proposal" || what === "together" ? [[note, effect]] : [],
    ),
  );
  return { done: done.length, left: lines.filter(({ what }) => what === "left").length, proposals };
}

/** The most proposals that a question lists. */
const MOST_PROPOSALS = 5;

/** Asks before a whole group is marked to be removed, because a change file may carry out few of its removals. */
export function useGroupRemoval({ fileText }: ReviewActions) {
  const { state, ask } = useAnswers({ fileText });
  const [asked, setAsked] = useState<{ group: Group; csv: string; decide(): void }>();
  const { done, left, proposals } = carriedOut(linesOf(asked?.csv ?? ""));
  const question = asked && (
    <Question
      label="Remove a group"
      answers={[
        ["Do not mark them", () => setAsked(undefined)],
        [
          `Mark ${count(asked.group.rows.length, "row")} to remove`,
          () => {
            setAsked(undefined);
            asked.decide();
          },
        ],
      ]}
    >
      A change file can carry out {figure(done)} of these {count(asked.group.rows.length, "removal")}.
      {left > 0 &&
        ` ${count(left, "role")} would stay, because a change file removes only direct permissions. You could:`}
      {[...proposals].slice(0, MOST_PROPOSALS).map(([step, effect]) => (
        <span class="proposed" key={step}>
          {step} ({effect})
        </span>
      ))}
      {proposals.size > MOST_PROPOSALS && (
        <span class="proposed">and {figure(proposals.size - MOST_PROPOSALS)} more steps</span>
      )}
    </Question>
  );
  return {
    question: question ?? (state && <p role="status">{state}</p>),
    async ask(group: Group, decide: () => void) {
      const csv = await ask("preview", {}, new Set(group.rows.map(({ key }) => key)));
      if (csv !== undefined) setAsked({ group, csv, decide });
    },
  };
}

export function Afterwards(props: ReviewActions) {
  const { review, fileText, savedName } = props;
  const { client, decided, navigation } = useSession();
  const { state, setState, ask } = useAnswers(props);
  const [preview, setPreview] = useState<readonly Line[]>();
  const [by, setBy] = useState("");
  const box = useRef<HTMLDialogElement>(null);
  const name = `review of revision ${review?.sheet.revision ?? ""}`;

  async function saved(answer: string, file: string, more?: object): Promise<void> {
    const text = await ask(answer, more);
    if (text === undefined) return;
    save(file, text);
    setState(`Saved ${file}.`);
  }
  function signOff(): void {
    const file = savedName();
    if (file === undefined)
      setState("Save the sheet first: the sign-off page names its file and its SHA-256.");
    else void saved("sign-off", `${name}, signed off.html`, { by, file });
  }
  function follow(): void {
    try {
      decided.open(fileText(), client.me.value?.organization.id);
      navigation.choose({ ...HOME, view: "decided" });
    } catch (error) {
      setState(error instanceof Error ? error.message : "");
    }
  }

  return (
    <details class="over">
      <summary class="btn">
        Afterwards
        <Icon name="open" />
      </summary>
      <div class="choices after">
        <Button
          class="btn"
          onClick={() => void ask("preview").then((csv) => csv !== undefined && setPreview(linesOf(csv)))}
        >
          What the removals would change
        </Button>
        <Button class="btn" onClick={() => void saved("changes", `${name}, removals.ndjson`)}>
          Save the change file
        </Button>
        <Button class="btn" onClick={follow}>
          Outcome of each row
        </Button>
        <label>
          Signed off by
          <input value={by} maxLength={255} onInput={({ currentTarget }) => setBy(currentTarget.value)} />
        </label>
        <Button class="btn" disabled={by.trim() === ""} onClick={signOff}>
          Save the sign-off page
        </Button>
        <p role="status">{state}</p>
      </div>
      {preview && (
        <Dialog box={box} title="What the removals would change" onClose={() => setPreview(undefined)}>
          <Preview lines={preview} />
        </Dialog>
      )}
    </details>
  );
}

/** The most lines that the preview shows. The change file has all. */
const LINES = 500;

function Preview({ lines }: { lines: readonly Line[] }) {
  const { done, left } = carriedOut(lines);
  return (
    <div class="preview" tabIndex={0}>
      <p>
        <b>Nothing is changed.</b> The change file carries out {count(done, "removal")}; {count(left, "role")}{" "}
        would stay.
      </p>

      {lines.slice(0, LINES).map(({ what, content, user, before, after, note, effect, command }, at) => (
        <p key={at} class={what}>
          {what === "proposal" || what === "together" ? (
            <>
              {what === "together" ? "All of these steps" : "Could"}: {note}. {effect}.{" "}
              {command && <code>{command}</code>}
            </>
          ) : (
            <>
              <b>{what}</b> <bdi>{user}</bdi> on <bdi>{content}</bdi>: {before} → {after || "no role"} ({note}
              )
            </>
          )}
        </p>
      ))}

      {lines.length > LINES && (
        <p>And {figure(lines.length - LINES)} more lines; rolebook review prints all.</p>
      )}
    </div>
  );
}

import { HOME, type View } from "../../session/address/address.ts";
import { Outdated, Refusal } from "../../session/ask/refusal.ts";
import type { GroupedRows } from "../../session/ask/groupedRows.ts";
import { Link } from "../../parts/Link.tsx";
import { useCell } from "../../parts/cell.ts";
import { count, figure } from "../../words/number.ts";
import { Button } from "../../parts/controls/Button.tsx";

interface ReadingProps {
  of: GroupedRows;
  /** The singular noun for a row, such as "finding". */
  noun: string;
  nouns?: string;
  label: string;
  begin(): void;
}

/** A button that starts reading. While rows arrive: their number and Cancel; at the end, why reading ended. */
export function Reading({ of: rows, noun, nouns, label, begin }: ReadingProps) {
  const { state, counts, failure } = useCell(rows.read);
  const total = [...counts.values()].reduce((sum, number) => sum + number, 0);
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
  const { counts, state } = useCell(rows.read);
  if (state === "idle") return null;
  return (
    <ul>
      {groups.map(([group, words]) => (
        <li key={group} class={counts.has(group) ? "broken" : undefined}>
          <p>
            <Link to={{ ...HOME, view, show: group }} class="name">
              {words}
            </Link>
          </p>
          <span>{figure(counts.get(group) ?? 0)}</span>
        </li>
      ))}
    </ul>
  );
}

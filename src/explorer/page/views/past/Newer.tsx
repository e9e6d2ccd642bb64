import { useEffect } from "preact/hooks";
import type { Revision } from "../../../wire/answer.ts";
import type { Address } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { seesAll } from "../../frame/side/seesAll.ts";
import { clock, when } from "../../words/date.ts";
import { capital } from "../../words/names.ts";
import { contentWords, peopleWords } from "./effect.ts";
import { Button } from "../../parts/controls/Button.tsx";

/**
 * The notice of a newer revision: for how many people access differs, and buttons that show the differences or the
 * newer revision.
 */
export function Newer({ newer, shown }: { newer: Revision; shown: Revision }) {
  const { client, walk, sinces, said } = useSession();
  const { address } = useCell(walk.move);
  const me = useCell(client.me);
  const all = me !== undefined && seesAll(me);
  const thing = isCounted(address) ? { [address.view]: address.id } : {};
  const asked = all || isCounted(address);
  const { answer } = useAnswer(sinces, asked ? { ...thing, earlier: shown.revision } : undefined);
  const { effect, cut = false } = answer ?? {};
  const again = `The directory was imported again ${when(newer.importedAt)}.`;
  const changed = effect && effect.gained + effect.lost + effect.raised + effect.lowered > 0;
  const since = `since ${clock(shown.importedAt)}.`;
  // The numbers of an incomplete count are lower bounds, so zero says nothing.
  const counted =
    effect === undefined || (cut && !changed)
      ? undefined
      : address.view === "member"
        ? `This member ${contentWords(effect)} ${since}`
        : `${cut ? "At least " : ""}${capital(peopleWords(effect))}${isCounted(address) ? " here" : ""} ${since}`;
  useEffect(() => {
    if (answer !== undefined || !asked) said.set(counted ?? again);
  }, [answer, asked, newer]);

  function see(): void {
    const between = { earlier: String(shown.revision), later: String(answer?.revision ?? newer.revision) };
    client.turn();
    walk.choose(
      isCounted(address)
        ? { view: address.view, id: address.id, tab: "changes", ...between }
        : { view: "changes", id: "", tab: "", ...between },
    );
  }
  return (
    <p>
      <span>{counted ?? again}</span>
      {changed && <Button onClick={see}>See them</Button>}
      <Button onClick={() => client.turn()}>Show the new one</Button>
    </p>
  );
}

/** Whether differences are counted for the shown subject. For others, they are counted for the whole organization. */
function isCounted({ view }: Address): boolean {
  return view === "space" || view === "collection" || view === "member";
}

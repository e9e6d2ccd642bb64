import { useEffect, useRef } from "preact/hooks";
import { parse } from "../../session/address/address.ts";
import { useSession } from "../../session/session.ts";
import { count } from "../../words/number.ts";
import { discardDrafts, type Draft, type Holder } from "./draft.ts";
import { Button } from "../../parts/controls/Button.tsx";

interface Props {
  holder: Holder;
  drafts: readonly Draft[];
  onLeave(): void;
  onStay(): void;
}

export function Leaving({ holder, drafts, onLeave, onStay }: Props) {
  const { walk } = useSession();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const marks = drafts.reduce((sum, draft) => sum + Object.keys(draft.marks).length, 0);
  return (
    <section class="notice" role="alertdialog" aria-label="Unsaved decisions">
      <p>
        {count(marks, "decision")} of a review {marks === 1 ? "is" : "are"} not saved to a file yet.{" "}
        <Button
          ref={first}
          onClick={() => {
            const [draft] = drafts;
            if (draft) walk.choose(parse(draft.address.slice(1)));
            onStay();
          }}
        >
          Go and save the sheet
        </Button>{" "}
        <Button
          onClick={() => {
            discardDrafts(holder);
            onLeave();
          }}
        >
          Discard and sign out
        </Button>{" "}
        <Button onClick={onStay}>Stay signed in</Button>
      </p>
    </section>
  );
}

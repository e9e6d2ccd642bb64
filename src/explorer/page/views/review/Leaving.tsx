import { useSession } from "../../session/session.ts";
import { count } from "../../words/number.ts";
import { Question } from "../../parts/controls/Question.tsx";
import type { Holder } from "./marks.ts";
import { reviewOf } from "./sheet.ts";

interface Props {
  holder: Holder;
  /** For each sheet, the number of rows with an unsaved mark. */
  unsaved: ReadonlyMap<string, number>;
  onLeave(): void;
  onStay(): void;
}

export function Leaving({ holder, unsaved, onLeave, onStay }: Props) {
  const { walk, drafts } = useSession();
  const marks = [...unsaved.values()].reduce((sum, each) => sum + each, 0);
  const [review] = [...unsaved.keys()].flatMap((covers) => reviewOf(covers) ?? []);
  return (
    <Question
      label="Unsaved decisions"
      answers={[
        [
          "Go and save the sheet",
          () => {
            if (review) walk.choose(review);
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

import { HOME, type Address } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { Link } from "../../parts/Link.tsx";
import { useSession } from "../../session/session.ts";
import { figure } from "../../words/number.ts";
import { Section } from "./Section.tsx";

const LINES: readonly {
  readonly of: "admins" | "guests" | "broad" | "closed" | "deleted";
  readonly words: string;
  readonly note: string;
  readonly to: Partial<Address>;
}[] = [
  {
    of: "admins",
    words: "Organization admins",
    note: "who have admin everywhere",
    to: { view: "members", role: "admin" },
  },
  {
    of: "guests",
    words: "Guests",
    note: "who have only their own and their teams’ permissions",
    to: { view: "members", guests: "only" },
  },
  {
    of: "broad",
    words: "Edit or stronger by default",
    note: "contents that every member may change",
    to: { view: "contents", show: "broad" },
  },
  {
    of: "closed",
    words: "Closed contents",
    note: "open only to people with a permission",
    to: { view: "contents", show: "closed" },
  },
  {
    of: "deleted",
    words: "Deleted spaces",
    note: "on which people still have roles",
    to: { view: "contents", show: "deleted" },
  },
];

/** The numbers with which a review begins, as links to the lists that they count. */
export function LookAtFirst() {
  const { overviews } = useSession();
  const { answer } = useAnswer(overviews, {});
  return (
    <Section id="first" title="What to look at first">
      <ul>
        {LINES.map(({ of, words, note, to }) => (
          <li key={of} class={answer?.[of] === 0 ? undefined : "broken"}>
            <p>
              <Link to={{ ...HOME, ...to }} class="name">
                {words}
              </Link>
              , {note}
            </p>
            <span>{answer ? figure(answer[of]) : "–"}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

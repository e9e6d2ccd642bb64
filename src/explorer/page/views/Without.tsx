import { type Effect, effectText, whereText } from "../../../domain/difference.ts";
import { plain } from "../../../domain/reason.ts";
import { readWithout } from "../../../domain/without.ts";
import type { WithoutAnswer } from "../../wire/answers.ts";
import { FilterBar } from "../list/FilterBar.tsx";
import { Link, PhraseText, SubjectLink } from "../parts/Link.tsx";
import { Button, Command } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { PAIRS, of, subjectParts, withoutSource } from "../session/address.ts";
import { seesAll, useSession } from "../session/session.ts";
import { type Parts, useAnswer, useParts } from "../session/useAnswer.ts";
import { capital, nameOf } from "../words/names.ts";
import { count, figure } from "../words/numbers.ts";
import { DifferenceList } from "./DifferenceList.tsx";
import { ListPage, type ViewProps } from "./Page.tsx";

/** The effect of removing a source of access, on one content or on all contents. */
export function WithoutView({ address, listed }: ViewProps) {
  const { client } = useSession();
  const { id: source, on, show } = address;
  const all = seesAll(useValue(client.me));
  const place = on === undefined ? undefined : subjectParts(on);
  const placeQuery = place && { [place.kind]: place.id };
  const here = useAnswer("without", placeQuery && { ...placeQuery, without: source });
  const people = usePeopleCount(on === undefined ? source : undefined);
  const { subject } = useAnswer("subject", placeQuery).answer ?? {};
  const answer: WithoutAnswer | undefined = place ? here.answer : people.known.answer;
  const failure = place ? here.failure : people.failure;
  const title = answer && `Without ${plain(answer.source)}`;
  const content = subject?.kind === "space" || subject?.kind === "collection" ? subject : undefined;
  const { state, known } = people;

  return (
    <ListPage
      address={address}
      of={`without ${source}`}
      way={content ? [{ title: nameOf(content), to: of(content.kind, content.id) }] : []}
      ready={answer !== undefined || failure !== undefined}
      heading={
        answer ? (
          <>
            Without <PhraseText phrase={answer.source} />
          </>
        ) : (
          "Not found"
        )
      }
      title={title}
      failure={failure}
      again={place ? here.again : people.again}
      lead={
        <>
          <p class="say effect">
            {content && answer?.here && (
              <>
                On {content.kind} <SubjectLink of={content} class="name" />:{" "}
                <strong>{effectText(answer.here)}</strong>.
              </>
            )}
            {!place && answer && (
              <>
                {capital(whereOf(source, answer.contents ?? 1))}: <strong>{effectText(known.counts)}</strong>
                {state === "whole" && "."}
                {state === "reading" &&
                  ` so far, ${figure(Math.floor((100 * known.done) / known.of))} % counted. `}
                {state === "cancelled" && " so far, then cancelled. "}
                {state === "reading" && <Button onClick={people.cancel}>Cancel</Button>}
                {state === "cancelled" && <Button onClick={people.again}>Go on</Button>}
              </>
            )}{" "}
            <span class="dim">Nothing is changed.</span>
          </p>
          {answer && <Command text={answer.command} />}
        </>
      }
      tools={
        place ? (
          all &&
          answer && (
            <Link to={withoutSource(source)} class="btn">
              {count(answer.contents ?? 1, "content")} that it affects
            </Link>
          )
        ) : (
          <Link to={{ ...withoutSource(source), ...(show !== PAIRS && { show: PAIRS }) }} class="btn">
            {show === PAIRS ? "Content by content" : "Person by person"}
          </Link>
        )
      }
      bar={<FilterBar address={address} />}
      file={{ title }}
    >
      <DifferenceList address={listed} names={{ one: "", other: "" }} />
    </ListPage>
  );
}

/**
 * Where the removal has an effect, in words: "on this collection and the 42 contents that inherit from it"; for a whole
 * team, the number of contents.
 */
function whereOf(source: string, contents: number): string {
  const without = readWithout(source);
  if (without === undefined || !("content" in without)) return `on ${count(contents, "content")}`;
  return whereText(without.content, contents - 1);
}

/** The counts so far of the people whose role on any content differs without a source. */
interface Counted {
  readonly answer?: WithoutAnswer;
  readonly counts: Effect;
  /** `done` of `of` parts are counted. */
  readonly done: number;
  readonly of: number;
}

const NOBODY: Counted = { counts: { lost: 0, lowered: 0, raised: 0, gained: 0 }, done: 0, of: 1 };

/** Counts the people whose role on any content differs without `source`. Without a source, counts nothing. */
function usePeopleCount(source: string | undefined): Parts<Counted> {
  const { client } = useSession();
  return useParts(source, NOBODY, async ({ counts, done: from }, signal) => {
    const answer = await client.get<WithoutAnswer>("without", { without: source, from }, signal);
    const { counts: more, done, of } = answer.people ?? { ...NOBODY, done: 1 };
    const sum = {
      lost: counts.lost + more.lost,
      lowered: counts.lowered + more.lowered,
      raised: counts.raised + more.raised,
      gained: counts.gained + more.gained,
    };
    return [{ answer, counts: sum, done, of }, done >= of];
  });
}

import { effectText, whereText } from "../../../../domain/difference.ts";
import { plain } from "../../../../domain/reason.ts";
import { readWithout } from "../../../../domain/without.ts";
import type { WithoutAnswer } from "../../../wire/differences.ts";
import { of } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { Command } from "../../parts/controls/Command.tsx";
import { useCell } from "../../parts/cell.ts";
import { Link } from "../../parts/Link.tsx";
import { NameLink } from "../../parts/NameLink.tsx";
import { Words } from "../../parts/Words.tsx";
import { FilterBar } from "../../list/filter/FilterBar.tsx";
import { useSession } from "../../session/session.ts";
import { seesAll } from "../../frame/side/seesAll.ts";
import { ListPage } from "../ListPage.tsx";
import type { ViewProps } from "../subject/SubjectView.tsx";
import { capital, nameOf } from "../../words/names.ts";
import { count, figure } from "../../words/number.ts";
import { DifferenceList } from "./DifferenceList.tsx";
import { PAIRS, partsOf, withoutSource } from "./query.ts";
import { usePeople } from "./usePeople.ts";
import { Button } from "../../parts/controls/Button.tsx";

/** The effect of removing a source of access, on one content or on all contents. */
export function WithoutView({ address, listed }: ViewProps) {
  const { client, withouts, places } = useSession();
  const { id: source, on, show } = address;
  const all = seesAll(useCell(client.me));
  const place = on === undefined ? undefined : partsOf(on);
  const placeQuery = place && { [place.kind]: place.id };
  const here = useAnswer(withouts, placeQuery && { ...placeQuery, without: source });
  const people = usePeople(on === undefined ? source : undefined);
  const { subject } = useAnswer(places, placeQuery).answer ?? {};
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
            Without <Words phrase={answer.source} />
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
                On {content.kind} <NameLink of={content} class="name" />:{" "}
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

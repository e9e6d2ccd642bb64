import { whereText } from "../../../../domain/explanation/effect.ts";
import { plain } from "../../../../domain/explanation/phrase.ts";
import { readWithout } from "../../../../domain/without.ts";
import type { WithoutAnswer } from "../../../wire/differences.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { CsvButton } from "../../files/csv/CsvButton.tsx";
import { Progress } from "../../files/csv/Progress.tsx";
import { Failure } from "../../list/Failure.tsx";
import { Command } from "../../parts/controls/Command.tsx";
import { useCell } from "../../parts/cell.ts";
import { Link } from "../../parts/Link.tsx";
import { Words } from "../../parts/Words.tsx";
import { PrintButton } from "../../files/print/PrintButton.tsx";
import { useSession } from "../../session/session.ts";
import { seesAll } from "../../frame/side/seesAll.ts";
import { Crumbs } from "../Crumbs.tsx";
import { Heading } from "../Heading.tsx";
import type { ViewProps } from "../subject/SubjectView.tsx";
import { useDocumentTitle } from "../title.ts";
import { nameOf } from "../../words/names.ts";
import { count, figure } from "../../words/number.ts";
import { effectWords } from "./cells.tsx";
import { DifferenceList } from "./DifferenceList.tsx";
import { PAIRS, partsOf, withoutSource } from "./query.ts";
import { usePeople } from "./usePeople.ts";

/** The effect of removing a source of access, on one content or on all affected ones. */
export function WithoutView({ address, listed }: ViewProps) {
  const { client, withouts, places } = useSession();
  const { id: source, on, show } = address;
  const all = seesAll(useCell(client.me));
  const place = on === undefined ? undefined : partsOf(on);
  const placeQuery = place && { [place.kind]: place.id };
  const here = useAnswer(withouts, placeQuery && { ...placeQuery, without: source });
  const people = usePeople(on === undefined ? source : undefined);
  const { subject } = useAnswer(places, placeQuery).answer ?? {};
  const answer: WithoutAnswer | undefined = place ? here.answer : people.answer;
  const failure = place ? here.failure : people.failure;
  const title = answer && `Without ${plain(answer.source)}`;
  const content = subject?.kind === "space" || subject?.kind === "collection" ? subject : undefined;
  useDocumentTitle(title);

  return (
    <>
      <Crumbs
        way={
          content
            ? [{ title: nameOf(content), to: { view: content.kind, id: content.id, tab: "everyone" } }]
            : []
        }
      />
      <Heading of={`without ${source}`} ready={answer !== undefined || failure !== undefined}>
        {answer ? (
          <span>
            Without <Words phrase={answer.source} />
          </span>
        ) : (
          <span class={failure === undefined ? "vh" : ""}>
            {failure === undefined ? "Loading" : "Not found"}
          </span>
        )}
      </Heading>
      {failure !== undefined ? (
        <Failure failure={failure} address={address} again={place ? here.again : people.again} />
      ) : (
        <>
          <p class="say effect">
            {content && answer?.here && (
              <>
                On {content.kind}{" "}
                <Link to={{ view: content.kind, id: content.id, tab: "everyone" }} class="name">
                  <bdi>{nameOf(content)}</bdi>
                </Link>
                : <strong>{effectWords(answer.here)}</strong>.
              </>
            )}
            {!place && people.counts && answer && (
              <>
                {capital(whereOf(source, answer.contents ?? 1))}:{" "}
                <strong>{effectWords(people.counts)}</strong>
                {people.state === "whole" ? "." : ""}
                {people.state === "counting" && (
                  <>
                    {" "}
                    so far, {figure(Math.floor(100 * people.done))} % counted.{" "}
                    <button type="button" class="link" onClick={people.cancel}>
                      Cancel
                    </button>
                  </>
                )}
                {people.state === "cancelled" && (
                  <>
                    {" "}
                    so far, then cancelled.{" "}
                    <button type="button" class="link" onClick={people.again}>
                      Count again
                    </button>
                  </>
                )}
              </>
            )}{" "}
            <span class="dim">Nothing is changed.</span>
          </p>
          {answer && <Command text={answer.command} />}
          <div class="bar">
            <div class="tools">
              {place && all && answer && (
                <Link to={withoutSource(source)} class="btn">
                  {count(answer.contents ?? 1, "content")} that it affects
                </Link>
              )}
              {!place && (
                <Link to={{ ...withoutSource(source), ...(show !== PAIRS && { show: PAIRS }) }} class="btn">
                  {show === PAIRS ? "Content by content" : "Person by person"}
                </Link>
              )}
              <PrintButton />
              <CsvButton address={address} title={title} total={undefined} />
            </div>
          </div>
          <Progress />
          <DifferenceList address={listed} names={{ one: "", other: "" }} />
        </>
      )}
    </>
  );
}

/** "on this collection and the 42 contents that inherit from it"; for a team, all contents with its permissions. */
function whereOf(source: string, contents: number): string {
  const without = readWithout(source);
  if (without === undefined || !("content" in without)) return `on ${count(contents, "content")}`;
  return whereText(without.content, contents - 1);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

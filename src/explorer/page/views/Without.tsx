/** The effect of removing a source of access: whom it changes, on one content or on all. */
import { type Effect, effectText, whereText } from "../../../domain/difference.ts";
import { plain } from "../../../domain/reason.ts";
import { readWithout } from "../../../domain/without.ts";
import type { WithoutAnswer } from "../../wire/answers.ts";
import type { ConcernedRow, PairRow, WithoutRow } from "../../wire/lists.ts";
import { FilterBar } from "../list/FilterBar.tsx";
import { List } from "../list/List.tsx";
import { column } from "../list/Table.tsx";
import { CONTENT, MEMBER, effectColumns, heldColumn } from "../list/columns.tsx";
import { Link, PhraseText, SubjectLink } from "../parts/Link.tsx";
import { Button, CommandButton } from "../parts/controls.tsx";
import { type Address, PAIRS, addressOf, subjectQuery, withoutSource } from "../session/address.ts";
import { useByContent, useOfContent } from "../session/byContent.ts";
import { useSeesAll, useSession } from "../session/session.ts";
import { type Parts, useAnswer, useParts } from "../session/useAnswer.ts";
import { filterPhrase } from "../words/filters.ts";
import { capital, nameOf } from "../words/names.ts";
import { count, figure } from "../words/numbers.ts";
import { Page, type ViewProps } from "./Page.tsx";

/** The effect of removing a source of access, on one content or on all contents. */
export function WithoutView({ address, listed }: ViewProps) {
  const { id: source, on, show } = address;
  const all = useSeesAll();
  const scope = on === undefined ? undefined : subjectQuery(on);
  const here = useAnswer("without", scope && { ...scope, without: source });
  const people = usePeopleCount(on === undefined ? source : undefined);
  const { subject } = useAnswer("tree", scope).answer ?? {};
  const answer: WithoutAnswer | undefined = scope ? here.answer : people.known.answer;
  const failure = scope ? here.failure : people.failure;
  const title = answer && `Without ${plain(answer.source)}`;
  const content = subject?.kind === "space" || subject?.kind === "collection" ? subject : undefined;
  const { state, known } = people;

  return (
    <Page
      address={address}
      of={`without ${source}`}
      way={content ? [{ title: nameOf(content), to: addressOf(content.kind, content.id) }] : []}
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
      again={scope ? here.again : people.again}
      lead={
        failure === undefined && (
          <p class="lead">
            {content && answer?.here && (
              <>
                On {content.kind} <SubjectLink of={content} class="name" />:{" "}
                <strong>{effectText(answer.here)}</strong>.
              </>
            )}
            {!scope && answer && (
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
        )
      }
      actions={
        <>
          {!scope ? (
            <Link to={{ ...withoutSource(source), ...(show !== PAIRS && { show: PAIRS }) }} class="btn">
              {show === PAIRS ? "Content by content" : "Person by person"}
            </Link>
          ) : (
            all &&
            answer && (
              <Link to={withoutSource(source)} class="btn">
                {count(answer.contents ?? 1, "content")} that it affects
              </Link>
            )
          )}
          {answer && <CommandButton text={answer.command} />}
        </>
      }
      file={{ title }}
    >
      <FilterBar address={address} />
      {listed.on !== undefined ? (
        <PeopleOnContent address={listed} />
      ) : listed.show === PAIRS ? (
        <PeopleByContent address={listed} />
      ) : (
        <AffectedContents address={listed} />
      )}
    </Page>
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
interface CountedEffect {
  readonly answer?: WithoutAnswer;
  readonly counts: Effect;
  /** `done` of `of` parts are counted. */
  readonly done: number;
  readonly of: number;
}

const NOBODY: CountedEffect = { counts: { lost: 0, lowered: 0, raised: 0, gained: 0 }, done: 0, of: 1 };

/** Counts the people whose role on any content differs without `source`. Without a source, counts nothing. */
function usePeopleCount(source: string | undefined): Parts<CountedEffect> {
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

const DIRECTION_VERBS = {
  lost: "loses access",
  lowered: "falls",
  raised: "rises",
  gained: "gains access",
} as const;

/** The people whose role on one content differs without the source. */
function PeopleOnContent({ address }: { address: Address }) {
  return (
    <List<WithoutRow>
      address={address}
      caption="People whose role would differ, losses of access first"
      columns={[
        MEMBER,
        column("Change", "c-role", (row) => DIRECTION_VERBS[row.direction]),
        heldColumn("Now", (row) => row.before),
        heldColumn("Without it", (row) => row.after),
      ]}
      rowId={(row) => row.user.id}
      step={(row) => row.direction}
      foot={(total) =>
        `${count(total, "person", "people")} with another role${filterPhrase(address)}: losses of access first, then by member id`
      }
      empty="Nobody’s role here would differ."
    />
  );
}

/** The people whose role differs without the source, on each content. */
function PeopleByContent({ address }: { address: Address }) {
  return (
    <List<PairRow>
      address={address}
      caption="People whose role would differ, on each content"
      columns={[
        MEMBER,
        { ...CONTENT, class: "bec c-place" },
        heldColumn("Now", (row) => row.before),
        heldColumn("Without it", (row) => row.after),
      ]}
      rowId={({ user, content }) => `${content.kind}/${content.id} ${user.id}`}
      step={({ content }) => `${content.kind}/${content.id}`}
      foot={(total) => `${count(total, "row")}${filterPhrase(address)}, by content, losses of access first`}
      empty="Nobody’s role would differ."
    />
  );
}

/** The contents on which the source is set, and the contents that inherit from these. */
function AffectedContents({ address }: { address: Address }) {
  const { client } = useSession();
  const effects = useByContent(address.id, async (contents) => {
    const answer = await client.get<WithoutAnswer>("without", { without: address.id, contents });
    return answer.effects;
  });
  const keyOf = ({ content }: ConcernedRow) => `${content.kind}/${content.id}`;
  return (
    <List<ConcernedRow>
      address={address}
      caption="Contents that it affects, and how many people differ on each"
      columns={[
        CONTENT,
        ...effectColumns<ConcernedRow>(
          (row) => useOfContent(effects, keyOf(row)),
          (row, change) => ({ ...withoutSource(address.id, keyOf(row)), change }),
        ),
      ]}
      rowId={keyOf}
      foot={(total) => `${count(total, "content")}${filterPhrase(address)}, collections first, by title`}
      empty="It affects no content."
    />
  );
}

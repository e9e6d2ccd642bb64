/** The start page: the organization, its totals and, for reviewers, what to look at first. */
import { useEffect, useState } from "preact/hooks";
import type { Me, RevisionNode, RevisionsAnswer } from "../../wire/answers.ts";
import { SHORTCUT } from "../frame/SearchPalette.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Link, RevisionLink } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { Terms } from "../parts/text.tsx";
import { type Address, HOME, changesBetween } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { moment } from "../words/dates.ts";
import { nameOf } from "../words/names.ts";
import { figure, sizeWords } from "../words/numbers.ts";
import { CountedLine, Section } from "./Groups.tsx";
import { Page } from "./Page.tsx";
import { type RecordedRules, Rules } from "./Rules.tsx";
import { Tidy } from "./Tidy.tsx";
import { DecidedSection } from "./review/Outcomes.tsx";

/** The numbers of the organization that have a list. */
const TOTALS = [
  ["members", "Members", { view: "members" }],
  ["teams", "Teams", { view: "teams" }],
  ["spaces", "Spaces", { view: "contents", show: "spaces" }],
  ["collections", "Collections", { view: "contents", show: "collections" }],
] as const;

/** On a `narrow` screen, the search is a field of its own, and the checks are collapsed at first. */
export function Home({ rules, narrow = false }: { rules: RecordedRules; narrow?: boolean }) {
  const { client, palette } = useSession();
  const me = useValue(client.me);
  return (
    <Page
      address={HOME}
      of="home"
      icon={<Icon name="organization" />}
      heading={me && <bdi>{nameOf(me.organization)}</bdi>}
      ready={me !== undefined}
      title={me && nameOf(me.organization)}
      lead={me && !narrow && <Terms class="facts" of={factsOf(me)} />}
    >
      {narrow && (
        <Button class="btn find" aria-haspopup="dialog" onClick={() => palette.set("anything")}>
          <Icon name="search" />
          Find
        </Button>
      )}
      {me && !narrow && <p class="lead">Choose something on the left, or press {SHORTCUT}.</p>}
      {me?.totals && (
        <Terms
          class="totals"
          of={TOTALS.map(([name, label, to]) => [
            label,
            <Link to={{ ...HOME, ...to }} aria-label={`${figure(me.totals?.[name])} ${label.toLowerCase()}`}>
              {figure(me.totals?.[name])}
            </Link>,
          ])}
        />
      )}
      <Overview rules={rules} folded={narrow} />
    </Page>
  );
}

function factsOf({ caller, issuer, publicUrl, revision, version }: Me) {
  return [
    [
      "Signed in with",
      caller.kind === "organization" ? (
        "an organization token"
      ) : (
        <>
          {issuer === undefined ? "the token" : <>the account at {issuer}</>} of <bdi>{nameOf(caller)}</bdi>,{" "}
          {caller.role ?? "guest"}
        </>
      ),
    ],
    ["API", <code>{publicUrl}/v1</code>],
    ["Revision", figure(revision)],
    ["Version", version],
  ] as const;
}

/**
 * The part of the start page for reviewers: rules, lists to check first, checks and the last imports. Only for callers
 * who see everything. With `folded`, the checks and the imports are collapsed at first, so that the tree below them is
 * near.
 */
function Overview({ rules, folded }: { rules: RecordedRules; folded: boolean }) {
  const { client } = useSession();
  const seesAll = useValue(client.me)?.totals !== undefined;
  // The rules stand first: if they arrived later, they would move everything below.
  if (!rules.ready || !seesAll) return null;
  const more = (
    <>
      <Tidy />
      <DecidedSection />
      <LastImports />
    </>
  );
  return (
    <div class="overview">
      <div>
        <Rules of={rules} />
        <LookAtFirst />
      </div>
      {folded ? (
        <details>
          <summary>Checks and last imports</summary>
          {more}
        </details>
      ) : (
        <div>{more}</div>
      )}
    </div>
  );
}

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
function LookAtFirst() {
  const { answer } = useAnswer("overview", {});
  return (
    <Section id="first" title="What to look at first">
      <ul>
        {LINES.map(({ of, words, note, to }) => (
          <CountedLine key={of} number={figure(answer?.[of])} isStrong={answer?.[of] !== 0}>
            <Link to={{ ...HOME, ...to }} class="name">
              {words}
            </Link>
            , {note}
          </CountedLine>
        ))}
      </ul>
    </Section>
  );
}

const MOST_SHOWN = 5;

function LastImports() {
  const { client } = useSession();
  const [revisions, setRevisions] = useState<readonly RevisionNode[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    client.get<RevisionsAnswer>("revisions", { limit: MOST_SHOWN + 1, show: "counts" }, stop.signal).then(
      ({ items }) => stop.signal.aborted || setRevisions(items),
      () => {},
    );
    return () => stop.abort();
  }, [client]);
  return (
    <Section id="imports" title="Last imports and changes">
      <ul>
        {revisions.slice(0, MOST_SHOWN).map(({ revision, importedAt, command, note, counts }, place) => {
          const before = revisions[place + 1];
          const changed = before && changesBetween(HOME, true, before.revision, revision);
          return (
            <CountedLine key={revision} number={`revision ${figure(revision)}`}>
              <RevisionLink at={String(revision)} class="name">
                {moment(importedAt)}
              </RevisionLink>
              {[command, note, sizeWords(counts, before?.counts)].filter(Boolean).map((words) => (
                <bdi key={words}>, {words}</bdi>
              ))}
              {changed && (
                <>
                  {". "}
                  <Link to={changed} class="name">
                    What changed<span class="vh"> in revision {figure(revision)}</span>
                  </Link>
                </>
              )}
            </CountedLine>
          );
        })}
      </ul>
    </Section>
  );
}

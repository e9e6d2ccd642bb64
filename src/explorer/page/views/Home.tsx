/** The start page: the organization, its totals and, for reviewers, what to look at first. */
import { useEffect, useState } from "preact/hooks";
import type { RevisionNode, RevisionsAnswer } from "../../wire/answers.ts";
import { SHORTCUT } from "../frame/Palette.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Link, RevisionLink } from "../parts/Link.tsx";
import { useValue } from "../parts/observable.ts";
import { Terms } from "../parts/text.tsx";
import { type Address, HOME } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { moment } from "../words/dates.ts";
import { nameOf } from "../words/names.ts";
import { figure } from "../words/numbers.ts";
import { CountedLine, Section } from "./Groups.tsx";
import { Heading, useDocumentTitle } from "./Page.tsx";
import { type RecordedRules, Rules } from "./Rules.tsx";
import { Tidy } from "./Tidy.tsx";
import { DecidedSection } from "./review/Outcomes.tsx";

const TOTALS = [
  ["members", "Members"],
  ["teams", "Teams"],
  ["spaces", "Spaces"],
  ["collections", "Collections"],
  ["sites", "Sites"],
  ["permissions", "Permissions"],
] as const;

export function Home({ rules }: { rules: RecordedRules }) {
  const { client } = useSession();
  const me = useValue(client.me);
  useDocumentTitle(me && nameOf(me.organization));
  return (
    <>
      <Heading of="home" ready={me !== undefined}>
        <Icon name="organization" />
        {me ? <bdi>{nameOf(me.organization)}</bdi> : <span class="vh">Loading</span>}
      </Heading>
      {me && (
        <>
          <Terms
            class="facts"
            of={[
              [
                "Signed in with",
                me.caller.kind === "organization" ? (
                  "an organization token"
                ) : (
                  <>
                    {me.issuer === undefined ? "the token" : <>the account at {me.issuer}</>} of{" "}
                    <bdi>{nameOf(me.caller)}</bdi>, {me.caller.role ?? "guest"}
                  </>
                ),
              ],
              ["API", <code>{me.publicUrl}/v1</code>],
              ["Revision", figure(me.revision)],
              ["Version", me.version],
            ]}
          />
          <p class="lead">Choose something on the left, or press {SHORTCUT}.</p>
        </>
      )}
      {me?.totals && (
        <Terms class="totals" of={TOTALS.map(([name, label]) => [label, figure(me.totals?.[name] ?? 0)])} />
      )}
      <Overview rules={rules} />
    </>
  );
}

/**
 * The part of the start page for reviewers: rules, lists to check first, checks and the last imports. Only for callers
 * who see everything. With `folded`, the checks and the imports are collapsed at first, so that the tree below them is
 * near.
 */
export function Overview({ rules, folded = false }: { rules: RecordedRules; folded?: boolean }) {
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

const SOME = 5;

function LastImports() {
  const { client } = useSession();
  const [revisions, setRevisions] = useState<readonly RevisionNode[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    client.get<RevisionsAnswer>("revisions", { limit: SOME }, stop.signal).then(
      ({ items }) => stop.signal.aborted || setRevisions(items),
      () => {},
    );
    return () => stop.abort();
  }, [client]);
  return (
    <Section id="imports" title="Last imports and changes">
      <ul>
        {revisions.map(({ revision, importedAt, command, note }) => (
          <CountedLine key={revision} number={`revision ${figure(revision)}`}>
            <RevisionLink at={String(revision)} class="name">
              {moment(importedAt)}
            </RevisionLink>
            {[command, note].filter(Boolean).map((words) => (
              <bdi key={words}>, {words}</bdi>
            ))}
          </CountedLine>
        ))}
      </ul>
    </Section>
  );
}

/** The recorded rules of the organization on the start page, and the breaches of one of them. */
import { useEffect, useRef } from "preact/hooks";
import type { RuleNode, RulesAnswer } from "../../wire/answers.ts";
import { column } from "../list/Table.tsx";
import { RoleCell } from "../list/columns.tsx";
import { Link } from "../parts/Link.tsx";
import { useValue } from "../parts/observable.ts";
import { type Address, HOME } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { moment } from "../words/dates.ts";
import { count, figure } from "../words/numbers.ts";
import { ContentOf, GroupList, ReadingStatus, ReasonOf, Section, UserOf } from "./Groups.tsx";
import { Page } from "./Page.tsx";

export function Rules({ of: { answer } }: { of: RecordedRules }) {
  if (answer?.checked === undefined) return null;
  const kept = answer.rules.filter(({ breaches }) => breaches === 0);
  const unchecked = answer.rules.filter(({ breaches }) => breaches === null);
  const others = answer.rules.filter(({ breaches }) => breaches !== 0);
  const broken = others.length - unchecked.length;
  return (
    <Section id="rules" title="Rules">
      <p>
        {others.length === 0 ? "All are kept" : `${figure(broken)} of ${figure(answer.rules.length)} broken`}
        {unchecked.length > 0 && `, ${figure(unchecked.length)} cannot be checked`}.{" "}
        <When checked={answer.checked} />
      </p>
      <RuleList of={others} />
      {kept.length > 0 && (
        <details>
          <summary>{figure(kept.length)} kept</summary>
          <RuleList of={kept} />
        </details>
      )}
    </Section>
  );
}

/** When the rules were checked, and whether the page shows another revision than the checked one. */
function When({ checked: { at, revision } }: { checked: NonNullable<RulesAnswer["checked"]> }) {
  const { client } = useSession();
  const shown = useValue(client.shown)?.revision ?? revision;
  const other = `${revision < shown ? "older" : "newer"} than revision ${figure(shown)}, which the page shows.`;
  return (
    <>
      Checked {moment(at)}, revision {figure(revision)}.
      {shown !== revision && (
        <>
          {" "}
          <b>This is {other}</b>
        </>
      )}
    </>
  );
}

/** What the last check counted for a rule, if it checked another revision than the shown one. */
function Checked({ rule }: { rule: string }) {
  const { client } = useSession();
  const shown = useValue(client.shown)?.revision;
  const { answer } = useRules(true);
  const known = answer?.rules.find((each) => each.rule === rule);
  if (known === undefined || answer?.checked === undefined || answer.checked.revision === shown) return null;
  return (
    <p>
      Last check: {standing(known)}. <When checked={answer.checked} />
    </p>
  );
}

function RuleList({ of }: { of: readonly RuleNode[] }) {
  return (
    <ul>
      {of.map((each) => (
        <li key={each.rule} class={each.breaches ? "broken" : undefined}>
          <bdi>{each.rule}</bdi>
          <span>
            {each.listed && each.breaches !== 0 ? (
              <Link to={{ ...HOME, view: "breaches", show: each.rule }} class="name">
                {standing(each)}
              </Link>
            ) : (
              standing(each)
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function standing({ breaches }: RuleNode): string {
  if (breaches === null) return "cannot be checked";
  return breaches === 0 ? "kept" : count(breaches, "breach", "breaches");
}

/** The breaches of a recorded rule in the shown revision. */
export function BreachView({ address }: { address: Address }) {
  const { breaches } = useSession();
  const { state } = useValue(breaches.read);
  const { show: rule = "" } = address;
  const title = rule || "Breaches of a rule";
  const asked = useRef<string | undefined>(undefined);
  function begin(): void {
    asked.current = rule;
    void breaches.start({ rule }, () => rule);
  }
  useEffect(() => {
    if (state === "idle" || asked.current !== rule) begin();
  }, [rule, state]);
  return (
    <Page
      address={address}
      of={`breaches ${rule}`}
      heading={<bdi>{title}</bdi>}
      title={title}
      lead={<Checked rule={rule} />}
    >
      <div class="bar">
        <ReadingStatus of={breaches} noun="breach" nouns="breaches" label="Check the rule" begin={begin} />
      </div>
      <GroupList
        of={breaches}
        group={rule}
        address={address}
        caption={`Breaches of the rule ${rule}`}
        columns={[
          column("What", "c-name", (cells) => (cells[1] ? <ContentOf cells={cells} /> : "organization")),
          column("Who", "c-member", (cells) =>
            cells[4] ? <UserOf cells={cells} /> : count(Number(cells[7]), "member"),
          ),
          column("Role", "c-role", (cells) => <RoleCell role={cells[6]} />),
          column("Reason", "bec", (cells) => <ReasonOf cells={cells} text={cells[8]} />),
        ]}
      />
    </Page>
  );
}

export interface RecordedRules {
  readonly answer?: RulesAnswer;
  /** Whether the results have arrived, or will not be requested. */
  readonly ready: boolean;
}

/**
 * The results of the last check of the rules. Requests them only if they are `shown` and the caller sees everything.
 */
export function useRules(shown: boolean): RecordedRules {
  const { client, navigation } = useSession();
  const me = useValue(client.me);
  // These results are of the current revision, so they do not belong to a past one.
  const past = useValue(navigation.at) !== undefined;
  const asked = shown && me?.totals !== undefined && !past;
  const { answer, failure } = useAnswer("rules", asked ? {} : undefined);
  const ready = me !== undefined && (!asked || answer !== undefined || failure !== undefined);
  return { ready, ...(answer && { answer }) };
}

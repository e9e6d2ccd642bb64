/**
 * Why a user has a role on a subject, or none: a sentence, the ladder of steps to it, and the command that repeats
 * it.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Titled, plain } from "../../../domain/reason.ts";
import type { WhyStep } from "../../../domain/why.ts";
import type { SpaceRole, WhyAnswer } from "../../wire/answers.ts";
import { Failure } from "../list/Failure.tsx";
import { Icon, KindIcon, RoleLabel } from "../parts/Icon.tsx";
import { Link, PhraseText, SameNamed, SubjectLink } from "../parts/Link.tsx";
import { Button, Command, CopyButton } from "../parts/controls.tsx";
import { useDelayed } from "../parts/hooks.ts";
import { ExpandableList } from "../parts/text.tsx";
import { type Address, addressOf, whyQuery, withoutWhy } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import { storeInTab, storedInTab } from "../session/tabStorage.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { nameOf, rawName, sameNamed, visible } from "../words/names.ts";
import { figure } from "../words/numbers.ts";
import { WithoutDecidingSource } from "./WithoutLinks.tsx";

/** Explains why a user has a role on a subject, or none. On a narrow screen it replaces the list. */
export function Why({ address, narrow }: { address: Address; narrow: boolean }) {
  const { navigation, client } = useSession();
  const { answer, failure, again } = useAnswer("why", whyQuery(address));
  const viewed = useAnswer("tree", { [address.view]: address.id });
  const heading = useRef<HTMLHeadingElement>(null);
  const late = useDelayed(!answer && failure === undefined);
  const closed = withoutWhy(address);
  const why = address.why ?? "";
  const link = () => new URL(navigation.hrefOf(address), document.baseURI).href;

  // Why takes the focus when it opens, and returns it to the row when it closes.
  useLayoutEffect(() => {
    if (navigation.move.value.cause === "choose" && (answer || failure !== undefined || !narrow))
      heading.current?.focus({ preventScroll: narrow });
    if (narrow && navigation.move.value.cause === "choose") scrollTo(0, 0);
  }, [why, narrow && answer !== undefined]);
  useEffect(() => () => returnFocus(why, navigation.move.value.position?.focus), [why]);

  const about = address.view === "member" ? answer?.subject : undefined;
  const title = answer ? (
    about ? (
      <>
        <SubjectLink of={about} />
        <span>
          for <bdi>{nameOf(answer.user)}</bdi>
        </span>
      </>
    ) : (
      <>
        <SubjectLink of={{ ...answer.user, kind: "member" }} />
        {answer.user.guest && <span class="tag">guest</span>}
        {answer.user.email !== undefined && <span class="mail">{answer.user.email}</span>}
      </>
    )
  ) : failure === undefined ? (
    <span class="vh">Loading</span>
  ) : (
    <bdi>{visible(why)}</bdi>
  );

  return (
    <>
      <header>
        {narrow ? (
          <Button class="quiet back" onClick={() => navigation.goBackTo(closed)}>
            <Icon name="back" />
            <bdi>{viewed.answer ? nameOf(viewed.answer.subject) : "Back"}</bdi>
          </Button>
        ) : (
          <>
            <h2 id="why-heading" ref={heading} tabIndex={-1}>
              Why
            </h2>
            <Button class="quiet" aria-label="Close" onClick={() => navigation.goBackTo(closed)}>
              <Icon name="close" />
            </Button>
          </>
        )}
      </header>
      <div class="wbody" data-scroll>
        {narrow ? (
          <h1 class="who" id="why-heading" ref={heading} tabIndex={-1}>
            {title}
          </h1>
        ) : (
          <p class="who">{title}</p>
        )}
        {/* On a wide screen, the view beside already shows that the subject cannot be loaded. */}
        {failure !== undefined && (narrow || viewed.failure === undefined) && (
          <Failure failure={failure} address={address} again={again} />
        )}
        {late && <span class="ghost" />}
        {answer && (
          <>
            <p class="say">
              <PhraseText phrase={answer.sentence} />
            </p>
            <p class="acts">
              <CopyButton class="link" text={() => citationOf(answer, client.me.value?.organization, link())}>
                Copy sentence
              </CopyButton>
              <CopyButton class="link" text={link}>
                Copy link
              </CopyButton>
            </p>
            <Ladder why={answer} under={narrow ? "h1" : "h2"} />
            <RolesOnSpaces spaces={answer.spaces ?? []} user={answer.user.id} under={narrow ? "h1" : "h2"} />
            <Command text={answer.command} />
          </>
        )}
      </div>
    </>
  );
}

/** Returns the focus to the row or element that opened Why, unless something else has the focus. */
function returnFocus(id: string, before: string | undefined): void {
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body) return;
    for (const wanted of [`reason-${id}`, before, "heading"]) {
      const target = wanted === undefined ? null : document.getElementById(wanted);
      if (target) return target.focus({ preventScroll: true });
    }
  });
}

/**
 * An answer as text for other documents: person, role, content, organization, revision, reason and link. Ids and e-mail
 * addresses distinguish people with the same name.
 */
function citationOf(answer: WhyAnswer, organization: Titled | undefined, link: string): string {
  const { user, subject, role, sentence, revision, importedAt } = answer;
  const person = [user.email, `id ${user.id}`, user.guest && "guest"].filter(Boolean).join(", ");
  const where = organization === undefined ? "" : ` of ${nameOf(organization)} (id ${organization.id})`;
  return (
    [
      `${rawName(user)} (${person}) has ${role ?? "no access"} on ${subject.kind} ${rawName(subject)} (id ${subject.id})${where}`,
      `as of ${importedAt}, revision ${revision}.`,
    ].join(", ") + ` ${plain(sentence)} ${link}`
  );
}

const STEPS_KEY = "steps";

/** The steps of an explanation: all of them, or only the deciding one. `under` is the element of the heading above. */
function Ladder({ why, under }: { why: WhyAnswer; under: "h1" | "h2" }) {
  const [all, setAll] = useState(() => storedInTab(STEPS_KEY) === "all");
  if (why.levels.length === 0) return null;
  const Head = under === "h1" ? "h2" : "h3";
  const Level = under === "h1" ? "h3" : "h4";
  const levels = why.levels
    .map((level) => ({
      ...level,
      steps: all ? level.steps : level.steps.filter((step) => step.mark === "decides"),
    }))
    .filter((level) => level.steps.length > 0);
  return (
    <>
      <div class="lh">
        <Head>{all ? "Steps, in the order they are asked" : "The step that decides"}</Head>
        <Button
          aria-expanded={all}
          aria-controls="ladder"
          onClick={() => {
            storeInTab(STEPS_KEY, all ? "one" : "all");
            setAll(!all);
          }}
        >
          {all ? "Only the deciding one" : "Show all steps"}
        </Button>
      </div>
      <div class={all ? "ladder" : "ladder one"} id="ladder">
        {levels.map((level, at) => (
          <section key={`${level.kind}/${level.id}/${at}`} class="rungs">
            <Level class={level.steps.every((step) => step.mark === "not-reached") ? "level last" : "level"}>
              <KindIcon of={level} />
              <SubjectLink of={level} class="name" />
              <em>{level.here ? `this ${level.kind}` : level.kind}</em>
            </Level>
            <ol>
              {level.steps.map((step) => (
                <LadderStep
                  key={step.label}
                  step={step}
                  withoutSource={<WithoutDecidingSource why={why} level={level} step={step} />}
                />
              ))}
            </ol>
          </section>
        ))}
      </div>
    </>
  );
}

const CLASS: Readonly<Record<WhyStep["mark"], string>> = {
  none: "pass",
  on: "up",
  decides: "hit",
  "not-reached": "rest",
};

const FEW_TEAMS = 8;

/** One step of the ladder: the question, the answer, and the teams with a permission. */
function LadderStep({ step, withoutSource }: { step: WhyStep; withoutSource: ComponentChildren }) {
  const { teams = [] } = step;
  const same = sameNamed(teams.map((team) => [team]));
  const tied = teams.filter(({ role }) => role === teams[0]?.role).length;
  return (
    <li class={CLASS[step.mark]}>
      <span class="dot" />
      <div>
        <div class="sl">
          <span>{step.label}</span>
          <span class="sv">
            {step.answer}
            {step.answer !== "" && step.role && ", "}
            {step.role && <RoleLabel role={step.role} />}
            {step.mark === "decides" && <span class="vh">, decides</span>}
            {step.mark === "on" && <span class="vh">, on to the next level up</span>}
          </span>
        </div>
        {tied > 1 && (
          <p class="tie">
            {figure(tied)} teams have {teams[0]?.role ?? "no access"} here
          </p>
        )}
        <SameNamed.Provider value={same}>
          <ExpandableList
            items={teams}
            first={FEW_TEAMS}
            noun="more team"
            item={(team, at) => (
              <li key={team.id} class={team.role === teams[0]?.role ? undefined : "lost"}>
                <SubjectLink of={{ ...team, kind: "team" }} class="name" />
                {team.role === null ? "no access" : <RoleLabel role={team.role} />}
                {at === 0 && tied === 1 && teams.length > 1 && <b>highest</b>}
              </li>
            )}
          />
        </SameNamed.Provider>
        {withoutSource}
      </div>
    </li>
  );
}

const FEW_SPACES = 12;

interface RolesOnSpacesProps {
  readonly spaces: readonly SpaceRole[];
  readonly user: string;
  readonly under: "h1" | "h2";
}

function RolesOnSpaces({ spaces, user, under }: RolesOnSpacesProps) {
  const Head = under === "h1" ? "h2" : "h3";
  if (spaces.length === 0) return null;
  const same = sameNamed(spaces.map((space) => [space]));
  return (
    <>
      <div class="lh">
        <Head>On each of its spaces</Head>
      </div>
      <ExpandableList
        items={spaces}
        first={FEW_SPACES}
        noun="more space"
        item={(space) => (
          <li key={space.id}>
            <Link to={{ ...addressOf("space", space.id), why: user }} class="name">
              <bdi>{nameOf(space)}</bdi>
              {same.has(space.id) && <code> {space.id}</code>}
            </Link>
            {space.role === null ? <span class="dim">no access</span> : <RoleLabel role={space.role} />}
          </li>
        )}
      />
    </>
  );
}

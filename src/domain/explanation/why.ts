import { decide, type Decision, type Level, type Rule, type Step, teamsAt } from "../ladder.ts";
import { type ContentKey, type ContentKind, idOf, kindOf } from "../content.ts";
import type { Phrase } from "./phrase.ts";
import type { Titled, Titles } from "./reason.ts";
import type { Role } from "../role.ts";
import { sentenceOf, strangerSentence } from "./sentence.ts";
import type { Subject } from "../ladder.ts";

export interface Person {
  readonly id: string;
  readonly displayName: string;
  readonly email?: string;
  readonly guest?: true;
}

export interface Explanation {
  /** The name of a user who is not a member is their id. */
  readonly user: Person;
  readonly subject: Titled & { readonly kind: ContentKind | "site" };
  /** `null` for no access. */
  readonly role: Role | null;
  /** For a site: the space that gives the role, and whose ladder `levels` shows. */
  readonly space?: Titled;
  readonly sentence: Phrase;
  /**
   * Organization, content, each ancestor collection, organization. Empty for a site to which the user has no access.
   */
  readonly levels: readonly WhyLevel[];
}

export interface WhyLevel extends Titled {
  readonly kind: "organization" | ContentKind;
  /** Whether this level is the requested content. */
  readonly here: boolean;
  readonly steps: readonly WhyStep[];
}

export interface WhyStep {
  readonly rule: Rule | "member";
  /**
   * `none`: the step gives no answer. `on`: the default level is `inherit`, so the parent is next. `decides`: the step
   * gives the answer. `not-reached`: an earlier step decided.
   */
  readonly mark: "none" | "on" | "decides" | "not-reached";
  /**
   * "Member", "Organization admin", "Direct permission", "Team permissions", "Default level" or "Organization role".
   */
  readonly label: string;
  /**
   * "yes", "no", "no, guest", "none", "none of 4 teams", "inherit", "closed", "guest", "not for guests" or "not
   * reached"; "" if a role is shown instead.
   */
  readonly answer: string;
  /** The role that the step gives or mentions. A reader sees it after the answer: "no, comment". */
  readonly role?: Role;
  /** For a deciding team step: the user's teams with a permission on this content, the deciding one first. */
  readonly teams?: readonly (Titled & { readonly role: Role })[];
}

export interface Question {
  readonly organization: Titled;
  readonly user: Person;
  /** Absent for a user who is not a member. Has all teams of the member. */
  readonly member: Subject | undefined;
  /** The content and all its ancestors, nearest first, including those from which it does not inherit. */
  readonly chain: readonly [Level, ...Level[]];
  readonly titles: Titles;
}

/** Explains a role with the steps that `decide` reports, and marks the rest as not reached. */
export function explain(question: Question): Explanation {
  const { organization, user, member, chain, titles } = question;
  const [{ content: subject }] = chain;
  const steps: Step[] = [];
  const decision = member === undefined ? undefined : decide(chain, member, (step) => steps.push(step));
  const last = steps.at(-1);
  const sentence =
    member === undefined || last === undefined
      ? strangerSentence(user, organization)
      : sentenceOf(
          {
            subject,
            organization,
            person: user,
            teams: member.teams,
            step: last,
            givenAbove: givenAbove(chain, last.level, member),
          },
          titles,
        );
  return {
    user,
    subject: { kind: kindOf(subject), id: idOf(subject), title: titles.content(subject) },
    role: decision?.role ?? null,
    sentence,
    levels: levelsOf(question, decision, steps),
  };
}

function givenAbove(chain: readonly Level[], deciding: Level | undefined, member: Subject): boolean {
  const above = deciding === undefined ? [] : chain.slice(chain.indexOf(deciding) + 1);
  return above.some((level) => member.direct.has(level.content) || teamsAt(level, member.teams).length > 0);
}

function levelsOf(question: Question, decision: Decision | undefined, steps: readonly Step[]): WhyLevel[] {
  const { member, chain, titles } = question;
  const organization = { kind: "organization" as const, ...question.organization, here: false };
  const [first] = chain;
  return [
    { ...organization, steps: [memberStep(member), adminStep(member, decision)] },
    ...chain.map((level) => ({
      kind: kindOf(level.content),
      id: idOf(level.content),
      title: titles.content(level.content),
      here: level === first,
      steps: contentSteps(level, member, reported(steps, level.content), titles),
    })),
    { ...organization, steps: [organizationStep(steps)] },
  ];
}

type Reported = (rule: Rule) => Step | undefined;

function reported(steps: readonly Step[], content: ContentKey): Reported {
  return (rule) => steps.find((step) => step.rule === rule && step.level?.content === content);
}

const NOT_REACHED = { mark: "not-reached", answer: "not reached" } as const;

function memberStep(member: Subject | undefined): WhyStep {
  const asked = { rule: "member", label: "Member" } as const;
  return member === undefined
    ? { ...asked, mark: "decides", answer: "no" }
    : { ...asked, mark: "none", answer: "yes" };
}

function adminStep(member: Subject | undefined, decision: Decision | undefined): WhyStep {
  const asked = { rule: "admin", label: "Organization admin" } as const;
  if (member === undefined) return { ...asked, ...NOT_REACHED };
  if (decision?.rule === "admin") return { ...asked, mark: "decides", answer: "", role: "admin" };
  if (member.role === null) return { ...asked, mark: "none", answer: "no, guest" };
  return { ...asked, mark: "none", answer: "no", role: member.role };
}

function contentSteps(level: Level, member: Subject | undefined, found: Reported, titles: Titles): WhyStep[] {
  const held = teamsAt(level, member?.teams ?? []).map((team) => ({ ...team, title: titles.team(team.id) }));
  const team = found("team");
  return [
    { rule: "direct", label: "Direct permission", ...answerOf(found("direct"), "none") },
    {
      rule: "team",
      label: "Team permissions",
      ...answerOf(team, noneOf(member?.teams.length ?? 0)),
      ...(team?.role === undefined ? {} : { teams: held }),
    },
    { rule: "default", label: "Default level", ...defaultAnswerOf(found("default"), level) },
  ];
}

function organizationStep(steps: readonly Step[]): WhyStep {
  const step = steps.find(({ rule }) => rule === "organization");
  return { rule: "organization", label: "Organization role", ...answerOf(step, "guest") };
}

type StepAnswer = Pick<WhyStep, "mark" | "answer" | "role">;

/** `silent` is the answer if the step gives no role. */
function answerOf(step: Step | undefined, silent: string): StepAnswer {
  if (step === undefined) return NOT_REACHED;
  const mark = step.outcome === "decides" ? "decides" : "none";
  return step.role === undefined ? { mark, answer: silent } : { mark, answer: "", role: step.role };
}

function defaultAnswerOf(step: Step | undefined, { defaultLevel }: Level): StepAnswer {
  if (step?.outcome === "onward") return { mark: "on", answer: "inherit" };
  if (step === undefined || step.role !== undefined || defaultLevel === "inherit") return answerOf(step, "");
  if (defaultLevel === null) return { mark: "decides", answer: "closed" };
  return { mark: "decides", answer: "not for guests", role: defaultLevel };
}

function noneOf(teams: number): string {
  if (teams === 0) return "none";
  return `none of ${teams} ${teams === 1 ? "team" : "teams"}`;
}

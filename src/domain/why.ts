/**
 * Why a user has a role, or none: the steps of the rule that `rolebook why` and the explorer's page show, and the
 * sentence above them (docs/permissions.md).
 */
import { type ContentKey, type ContentKind, type DefaultLevel, idOf, kindOf } from "./content.ts";
import {
  type Decision,
  type Level,
  type MemberRights,
  type Rule,
  type SiteLevel,
  type Step,
  type TeamRoles,
  decide,
  teamsAt,
} from "./ladder.ts";
import {
  type Name,
  type Phrase,
  type Titled,
  type Titles,
  contentName,
  personName,
  siteName,
  spaceName,
  teamName,
} from "./reason.ts";
import type { Role } from "./role.ts";
import { commandLine } from "./text.ts";

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
   * Organization, content, the sites of a space that say something, each ancestor collection, organization. Empty for a
   * site to which the user has no access.
   */
  readonly levels: readonly WhyLevel[];
}

export interface WhyLevel extends Titled {
  readonly kind: "organization" | "site" | ContentKind;
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
   * "yes", "no", "no, guest", "none", "none of 4 teams", "inherit", "closed", "guest", "not for guests", "no access",
   * "outweighed" or "not reached"; "" if a role is shown instead.
   */
  readonly answer: string;
  /** The role that the step gives or mentions. A reader sees it after the answer: "no, comment". */
  readonly role?: Role;
  /**
   * For a team step that answers: the user's teams with a permission on this content or site, the deciding one first. On
   * a site, `null` is no access.
   */
  readonly teams?: readonly (Titled & { readonly role: Role | null })[];
}

interface WhyQuestion {
  readonly organization: Titled;
  readonly user: Person;
  /** Absent for a user who is not a member. Has all teams of the member. */
  readonly member: MemberRights | undefined;
  /** The content and all its ancestors, nearest first, including those from which it does not inherit. */
  readonly ancestry: readonly [Level, ...Level[]];
  readonly titles: Titles;
}

/** Explains a role with the steps that `decide` reports, and marks the rest as not reached. */
export function explain(question: WhyQuestion): Explanation {
  const { organization, user, member, ancestry, titles } = question;
  const [{ content: subject }] = ancestry;
  const steps: Step[] = [];
  const decision = member === undefined ? undefined : decide(ancestry, member, (step) => steps.push(step));
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
            givenAbove: givenAbove(ancestry, last.level, member),
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

function givenAbove(ancestry: readonly Level[], deciding: Level | undefined, member: MemberRights): boolean {
  const above = deciding === undefined ? [] : ancestry.slice(ancestry.indexOf(deciding) + 1);
  return above.some((level) => member.direct.has(level.content) || teamsAt(level, member.teams).length > 0);
}

function levelsOf(question: WhyQuestion, decision: Decision | undefined, steps: readonly Step[]): WhyLevel[] {
  const { member, ancestry, titles } = question;
  const organization = { kind: "organization" as const, ...question.organization, here: false };
  const [first] = ancestry;
  return [
    { ...organization, steps: [memberStep(member), adminStep(member, decision)] },
    ...ancestry.flatMap((level) => [
      {
        kind: kindOf(level.content),
        id: idOf(level.content),
        title: titles.content(level.content),
        here: level === first,
        steps: stepsOn(level, member, reported(steps, level), titles),
      },
      ...(level.sites ?? []).map((site) => ({
        kind: "site" as const,
        id: site.site,
        title: titles.site(site.site),
        here: false,
        steps: stepsOn(site, member, reported(steps, level, site.site), titles),
      })),
    ]),
    { ...organization, steps: [organizationStep(steps)] },
  ];
}

type Reported = (rule: Rule) => Step | undefined;

function reported(steps: readonly Step[], level: Level, site?: string): Reported {
  return (rule) => steps.find((step) => step.rule === rule && step.level === level && step.site === site);
}

const NOT_REACHED = { mark: "not-reached", answer: "not reached" } as const;

function memberStep(member: MemberRights | undefined): WhyStep {
  const asked = { rule: "member", label: "Member" } as const;
  return member === undefined
    ? { ...asked, mark: "decides", answer: "no" }
    : { ...asked, mark: "none", answer: "yes" };
}

function adminStep(member: MemberRights | undefined, decision: Decision | undefined): WhyStep {
  const asked = { rule: "admin", label: "Organization admin" } as const;
  if (member === undefined) return { ...asked, ...NOT_REACHED };
  if (decision?.rule === "admin") return { ...asked, mark: "decides", answer: "", role: "admin" };
  if (member.role === null) return { ...asked, mark: "none", answer: "no, guest" };
  return { ...asked, mark: "none", answer: "no", role: member.role };
}

function stepsOn(
  level: { readonly teams: TeamRoles<Role | null>; readonly defaultLevel: DefaultLevel },
  member: MemberRights | undefined,
  found: Reported,
  titles: Titles,
): WhyStep[] {
  const held = teamsAt(level, member?.teams ?? []).map((team) => ({ ...team, title: titles.team(team.id) }));
  const team = found("team");
  return [
    { rule: "direct", label: "Direct permission", ...answerOf(found("direct"), "none") },
    {
      rule: "team",
      label: "Team permissions",
      ...answerOf(team, noneOf(member?.teams.length ?? 0)),
      ...(team === undefined || team.outcome === "silent" ? {} : { teams: held }),
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
  if (step.outcome === "outweighed")
    return step.role === undefined
      ? { mark, answer: "no access" }
      : { mark, answer: "outweighed", role: step.role };
  if (step.site !== undefined && step.outcome === "decides" && step.role === undefined)
    return { mark, answer: "no access" };
  return step.role === undefined ? { mark, answer: silent } : { mark, answer: "", role: step.role };
}

function defaultAnswerOf(
  step: Step | undefined,
  { defaultLevel }: { readonly defaultLevel: DefaultLevel },
): StepAnswer {
  if (step?.outcome === "onward") return { mark: "on", answer: "inherit" };
  if (step === undefined || step.role !== undefined || defaultLevel === "inherit") return answerOf(step, "");
  const mark = step.outcome === "decides" ? "decides" : "none";
  if (defaultLevel === null) return { mark, answer: "closed" };
  return { mark, answer: "not for guests", role: defaultLevel };
}

function noneOf(teams: number): string {
  if (teams === 0) return "none";
  return `none of ${teams} ${teams === 1 ? "team" : "teams"}`;
}

/** What a sentence says: how the ladder decided for one member on one content. */
interface Ruling {
  readonly subject: ContentKey;
  readonly organization: Titled;
  readonly person: Person;
  readonly teams: readonly string[];
  /** The deciding step, the last that `decide` reported. */
  readonly step: Step;
  /** Whether the member, or a team of the member, has a permission above the deciding level. */
  readonly givenAbove: boolean;
}

const organizationName = ({ id, title }: Titled): Name => ({ name: title, of: { kind: "organization", id } });

const NO_ACCESS = { verdict: "No access" };

/** Names the role and the rule that gave it, or the reason why there is none (docs/permissions.md). */
export function sentenceOf(climb: Ruling, titles: Titles): Phrase {
  const { rule, role, site } = climb.step;
  if (role !== undefined) return grant(climb, role, titles);
  // On a site, a permission may be no access.
  const isGiven = site !== undefined && (rule === "direct" || rule === "team");
  return isGiven ? grant(climb, null, titles) : refusal(climb, titles);
}

/** The sentence for a user who is not a member; `displayName` is the user's id. */
function strangerSentence({ displayName }: Person, organization: Titled): Phrase {
  const name: Name = { name: displayName };
  return [NO_ACCESS, ", because ", name, " is not a member of ", organizationName(organization), "."];
}

/** `inner` is the sentence for the space that gives the role; `spaces` is the number of the site's spaces. */
function siteSentence(role: Role, person: Person, spaces: number, space: Titled, inner: Phrase): Phrase {
  const name = spaceName(space);
  if (spaces === 1) {
    return [{ verdict: role }, " on this site’s only space, ", name, ": ", ...inner];
  }
  return [
    { verdict: role },
    ", the highest of ",
    personName(person),
    `’s roles on this site’s ${count(spaces)} spaces, from space `,
    name,
    ": ",
    ...inner,
  ];
}

function noSiteSentence(spaces: number): Phrase {
  if (spaces === 0) return [NO_ACCESS, ", because this site has no spaces."];
  if (spaces === 1) return [NO_ACCESS, " to this site’s only space."];
  return [NO_ACCESS, ` to any of this site’s ${count(spaces)} spaces.`];
}

function grant(climb: Ruling, given: Role | null, titles: Titles): Phrase {
  const { step, subject, teams } = climb;
  const { level } = step;
  const person = personName(climb.person);
  const organization = organizationName(climb.organization);
  const because: Phrase = [given === null ? NO_ACCESS : { verdict: given }, ", because "];
  const role = given ?? "no access";
  const decider = siteOf(step) ?? level;
  const held = decider === undefined ? [] : teamsAt<Role | null>(decider, teams);
  switch (step.rule) {
    case "admin":
      return [...because, person, " is an admin of ", organization, ", whatever else is set."];
    case "direct": {
      const [team] = held;
      const more: Phrase =
        team === undefined || team.role === given
          ? []
          : [
              " A direct permission counts before team ",
              teamName({ id: team.id, title: titles.team(team.id) }),
              `’s ${team.role ?? "no access"}.`,
            ];
      const where = place(climb, titles);
      return [...because, person, ` has ${role} directly on `, ...where, ".", ...more, ...ofSeveral(step)];
    }
    case "team": {
      const several = held.length > 1 ? [` It is the highest of ${held.length} team permissions there.`] : [];
      const id = held[0]?.id ?? "";
      const team = teamName({ id, title: titles.team(id) });
      const where = place(climb, titles);
      return [...because, "team ", team, ` has ${role} on `, ...where, ".", ...several, ...ofSeveral(step)];
    }
    case "default":
      return [
        ...because,
        "the default level of ",
        ...within(climb, titles),
        ` is ${role}.`,
        ...ofSeveral(step),
      ];
    case "organization":
      return [
        ...because,
        "it is ",
        person,
        "’s role in ",
        organization,
        ` and nothing on ${here(subject)} or above it says otherwise.`,
      ];
  }
}

/** The site that decides, if one does. */
function siteOf({ level, site }: Step): SiteLevel | undefined {
  return site === undefined ? undefined : level?.sites?.find((each) => each.site === site);
}

function ofSeveral({ role, answers = 1 }: Step): Phrase {
  return role !== undefined && answers > 1 ? [` It is the highest of what ${answers} sites say.`] : [];
}

function refusal(climb: Ruling, titles: Titles): Phrase {
  const { step, subject, givenAbove } = climb;
  const because: Phrase = [NO_ACCESS, ", because "];
  const person = personName(climb.person);
  if (step.level === undefined) {
    const organization = organizationName(climb.organization);
    const tail = ` with no permission on ${here(subject)} or above it.`;
    return [...because, person, " is a guest of ", organization, tail];
  }
  const above = givenAbove ? [" What is given further up does not reach past it."] : [];
  const level = within(climb, titles);
  if ((siteOf(step) ?? step.level).defaultLevel === null) {
    return [...because, ...level, " is closed and ", person, " has no permission on it.", ...above];
  }
  const tail = " does not count for guests.";
  return [...because, person, " is a guest and the default level of ", ...level, tail, ...above];
}

function here(subject: ContentKey): string {
  return `this ${kindOf(subject)}`;
}

function place({ step, subject }: Ruling, titles: Titles): Phrase {
  if (step.site !== undefined) {
    const site = siteName({ id: step.site, title: titles.site(step.site) });
    return ["site ", site, ", which this space is in and inherits from"];
  }
  const at = step.level?.content;
  if (at === undefined || at === subject) return [here(subject)];
  return ["collection ", contentName(at, titles), `, which ${here(subject)} inherits from`];
}

function within(climb: Ruling, titles: Titles): Phrase {
  const at = place(climb, titles);
  return at.length === 1 ? at : [...at, ","];
}

function count(spaces: number): string {
  return spaces.toLocaleString("en");
}

/**
 * Why a user has a role on a site, or none. `inner` explains the space that gives the role (docs/permissions.md); absent if no space gives one. `spaces` is the number of spaces of the site.
 */
export function explainSite(
  site: Titled,
  spaces: number,
  user: Person,
  inner: Explanation | undefined,
): Explanation {
  const subject = { kind: "site" as const, id: site.id, title: site.title };
  if (inner?.role == null) return { user, subject, role: null, sentence: noSiteSentence(spaces), levels: [] };
  const space = { id: inner.subject.id, title: inner.subject.title };
  const sentence = siteSentence(inner.role, user, spaces, space, inner.sentence);
  return { ...inner, subject, space, sentence };
}

export function explainStrangerOnSite(site: Titled, organization: Titled, user: Person): Explanation {
  const subject = { kind: "site" as const, id: site.id, title: site.title };
  const sentence = strangerSentence(user, organization);
  return { user, subject, role: null, sentence, levels: [] };
}

/** The command that explains a user's role on `subject`, quoted for a POSIX shell. */
export function commandFor(
  user: string,
  { kind, id }: Explanation["subject"],
  { organization, at }: { readonly organization?: string; readonly at?: number } = {},
): string {
  const words = ["rolebook", "why"];
  if (organization !== undefined) words.push("--organization", organization);
  if (at !== undefined) words.push("--at", String(at));
  // An id may begin with `-`; behind `--` it is not an option.
  if (user.startsWith("-")) words.push("--");
  return commandLine(...words, user, `${kind}/${id}`);
}

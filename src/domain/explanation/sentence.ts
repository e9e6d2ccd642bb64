/** The sentences that say why a user has a role, or none. */
import { type Step, teamsAt } from "../ladder.ts";
import { type ContentKey, kindOf } from "../content.ts";
import type { Name, Phrase } from "./phrase.ts";
import { contentName, teamName, type Titled, type Titles } from "./reason.ts";
import type { Role } from "../role.ts";

/** What a sentence says: how the ladder decided for one member on one content. */
export interface Climb {
  readonly subject: ContentKey;
  readonly organization: Titled;
  readonly person: Person;
  readonly teams: readonly string[];
  /** The deciding step, the last that `decide` reported. */
  readonly step: Step;
  /** Whether the member, or a team of the member, has a permission above the deciding level. */
  readonly givenAbove: boolean;
}

interface Person {
  readonly id: string;
  readonly displayName: string;
}

const personName = ({ id, displayName }: Person): Name => ({ name: displayName, of: { kind: "member", id } });
const organizationName = ({ id, title }: Titled): Name => ({ name: title, of: { kind: "organization", id } });

const NO_ACCESS = { verdict: "No access" };

/** Names the role and the rule that gave it, or the reason why there is none (contract, section 3). */
export function sentenceOf(climb: Climb, titles: Titles): Phrase {
  const { role } = climb.step;
  return role === undefined ? refusal(climb, titles) : grant(climb, role, titles);
}

/** The sentence for a user who is not a member; `displayName` is the user's id. */
export function strangerSentence({ displayName }: Person, organization: Titled): Phrase {
  const name: Name = { name: displayName };
  return [NO_ACCESS, ", because ", name, " is not a member of ", organizationName(organization), "."];
}

/** `inner` is the sentence for the space that gives the role; `spaces` is the number of the site's spaces. */
export function siteSentence(
  role: Role,
  person: Person,
  spaces: number,
  space: Titled,
  inner: Phrase,
): Phrase {
  const name: Name = { name: space.title, of: { kind: "space", id: space.id } };
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

export function noSiteSentence(spaces: number): Phrase {
  if (spaces === 0) return [NO_ACCESS, ", because this site has no spaces."];
  if (spaces === 1) return [NO_ACCESS, " to this site’s only space."];
  return [NO_ACCESS, ` to any of this site’s ${count(spaces)} spaces.`];
}

function grant(climb: Climb, role: Role, titles: Titles): Phrase {
  const { step, subject, teams } = climb;
  const { level } = step;
  const person = personName(climb.person);
  const organization = organizationName(climb.organization);
  const because: Phrase = [{ verdict: role }, ", because "];
  switch (step.rule) {
    case "admin":
      return [...because, person, " is an admin of ", organization, ", whatever else is set."];
    case "direct": {
      const [team] = level === undefined ? [] : teamsAt(level, teams);
      const more: Phrase =
        team === undefined || team.role === role
          ? []
          : [
              " A direct permission counts before team ",
              teamName({ id: team.id, title: titles.team(team.id) }),
              `’s ${team.role}.`,
            ];
      return [...because, person, ` has ${role} directly on `, ...place(climb, titles), ".", ...more];
    }
    case "team": {
      const held = level === undefined ? [] : teamsAt(level, teams);
      const several = held.length > 1 ? [` It is the highest of ${held.length} team permissions there.`] : [];
      const id = held[0]?.id ?? "";
      const team = teamName({ id, title: titles.team(id) });
      return [...because, "team ", team, ` has ${role} on `, ...place(climb, titles), ".", ...several];
    }
    case "default":
      return [...because, "the default level of ", ...within(climb, titles), ` is ${role}.`];
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

function refusal(climb: Climb, titles: Titles): Phrase {
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
  if (step.level.defaultLevel === null) {
    return [...because, ...level, " is closed and ", person, " has no permission on it.", ...above];
  }
  const tail = " does not count for guests.";
  return [...because, person, " is a guest and the default level of ", ...level, tail, ...above];
}

function here(subject: ContentKey): string {
  return `this ${kindOf(subject)}`;
}

function place({ step, subject }: Climb, titles: Titles): Phrase {
  const at = step.level?.content;
  if (at === undefined || at === subject) return [here(subject)];
  return ["collection ", contentName(at, titles), `, which ${here(subject)} inherits from`];
}

function within(climb: Climb, titles: Titles): Phrase {
  const at = place(climb, titles);
  return at.length === 1 ? at : [...at, ","];
}

function count(spaces: number): string {
  return spaces.toLocaleString("en");
}

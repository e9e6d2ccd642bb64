/** Why somebody has a role, or none, in one sentence: every wording of it is here. */
import { type Step, teamsAt } from "./access.ts";
import { type ContentKey, kindOf } from "./content.ts";
import type { Phrase } from "./phrase.ts";
import type { Titles } from "./reason.ts";
import type { Role } from "./role.ts";

/** What a sentence about one member and one content is made from. */
export interface Climb {
  readonly subject: ContentKey;
  /** The title of the organization. */
  readonly organization: string;
  /** The display name of the member. */
  readonly person: string;
  /** Ids of all teams of the member. */
  readonly teams: readonly string[];
  /** The step that decided, as `decide` reported it. */
  readonly step: Step;
  /** Whether the member, or a team of theirs, was given something above the deciding level. */
  readonly givenAbove: boolean;
}

const NO_ACCESS = { verdict: "No access" };

/** The sentence for a member: the role and the rule that gave it, or why there is none (contract, section 3). */
export function sentenceOf(climb: Climb, titles: Titles): Phrase {
  const { role } = climb.step;
  return role === undefined ? refusal(climb, titles) : grant(climb, role, titles);
}

/** The sentence for a user who is not a member; `person` is what is known of them, their id. */
export function strangerSentence(person: string, organization: string): Phrase {
  return [NO_ACCESS, ", because ", { name: person }, " is not a member of ", { name: organization }, "."];
}

/** The sentence for a site: `inner` is the one for the space that gives the role. */
export function siteSentence(
  role: Role,
  person: string,
  spaces: number,
  space: string,
  inner: Phrase,
): Phrase {
  if (spaces === 1) {
    return [{ verdict: role }, " on this site’s only space, ", { name: space }, ": ", ...inner];
  }
  return [
    { verdict: role },
    ", the highest of ",
    { name: person },
    `’s roles on this site’s ${count(spaces)} spaces, from space `,
    { name: space },
    ": ",
    ...inner,
  ];
}

/** The sentence for a member without a role on any of a site's spaces. */
export function noSiteSentence(spaces: number): Phrase {
  if (spaces === 0) return [NO_ACCESS, ", because this site has no spaces."];
  if (spaces === 1) return [NO_ACCESS, " to this site’s only space."];
  return [NO_ACCESS, ` to any of this site’s ${count(spaces)} spaces.`];
}

function grant(climb: Climb, role: Role, titles: Titles): Phrase {
  const { step, subject, teams } = climb;
  const { level } = step;
  const person = { name: climb.person };
  const organization = { name: climb.organization };
  const because: Phrase = [{ verdict: role }, ", because "];
  switch (step.rule) {
    case "admin":
      return [...because, person, " is an admin of ", organization, ", whatever else is set."];
    case "direct": {
      const [team] = level === undefined ? [] : teamsAt(level, teams);
      const more: Phrase =
        team === undefined || team.role === role
          ? []
          : [" A direct permission counts before team ", { name: titles.team(team.id) }, `’s ${team.role}.`];
      return [...because, person, ` has ${role} directly on `, ...place(climb, titles), ".", ...more];
    }
    case "team": {
      const held = level === undefined ? [] : teamsAt(level, teams);
      const several = held.length > 1 ? [` It is the highest of ${held.length} team permissions there.`] : [];
      const team = { name: titles.team(held[0]?.id ?? "") };
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
  const person = { name: climb.person };
  if (step.level === undefined) {
    const organization = { name: climb.organization };
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

/** The deciding content: "this space", or "collection Handbook, which this space inherits from". */
function place({ step, subject }: Climb, titles: Titles): Phrase {
  const at = step.level?.content;
  if (at === undefined || at === subject) return [here(subject)];
  return ["collection ", { name: titles.content(at) }, `, which ${here(subject)} inherits from`];
}

/** The same where the sentence goes on: a comma closes the clause. */
function within(climb: Climb, titles: Titles): Phrase {
  const at = place(climb, titles);
  return at.length === 1 ? at : [...at, ","];
}

function count(spaces: number): string {
  return spaces.toLocaleString("en");
}

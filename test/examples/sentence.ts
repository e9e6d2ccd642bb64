import type { Content, Facts } from "../oracle/facts.ts";
import { reasonOf } from "./reason.ts";

/**
 * The sentence that explains a user's effective role on a content, or no access, as docs/permissions.md words it.
 */
export function sentenceOf(facts: Facts, organization: string, user: string, content: Content): string {
  const { rule, role, at, teams, givenAbove } = reasonOf(facts, user, content);
  const person = facts.users.get(user)?.displayName ?? user;
  const here = `this ${content.kind}`;
  const inherited = at !== undefined && !(at.kind === content.kind && at.id === content.id);
  const place = inherited
    ? `collection ${facts.collections.get(at.id)?.title}, which ${here} inherits from`
    : here;
  // Within the sentence, a comma closes the relative clause.
  const placed = inherited ? `${place},` : place;
  const [team] = teams;
  const name = facts.teams.get(team?.id ?? "")?.title;
  const above = givenAbove ? " What is given further up does not reach past it." : "";
  const guest = facts.members.get(user) === null;

  switch (rule) {
    case "1":
      return role === null
        ? `No access, because ${person} is not a member of ${organization}.`
        : `admin, because ${person} is an admin of ${organization}, whatever else is set.`;
    case "2a": {
      const another = team !== undefined && team.role !== role;
      const before = another ? ` A direct permission counts before team ${name}’s ${team.role}.` : "";
      return `${role}, because ${person} has ${role} directly on ${place}.${before}`;
    }
    case "2b": {
      const several = teams.length > 1 ? ` It is the highest of ${teams.length} team permissions there.` : "";
      return `${role}, because team ${name} has ${role} on ${place}.${several}`;
    }
    case "2c":
      return guest
        ? `No access, because ${person} is a guest and the default level of ${placed} does not count for guests.${above}`
        : `${role}, because the default level of ${placed} is ${role}.`;
    case "2d":
      return `No access, because ${placed} is closed and ${person} has no permission on it.${above}`;
    case "3":
      return guest
        ? `No access, because ${person} is a guest of ${organization} with no permission on ${here} or above it.`
        : `${role}, because it is ${person}’s role in ${organization} and nothing on ${here} or above it says otherwise.`;
  }
}

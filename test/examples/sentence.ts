import { saidBySites } from "../oracle/effective.ts";
import type { Content, Facts } from "../oracle/facts.ts";
import type { Role } from "../oracle/records.ts";
import { reasonOf } from "./reason.ts";

/**
 * The sentence that explains a user's effective role on a content, or no access, as docs/permissions.md words it.
 */
export function sentenceOf(facts: Facts, organization: string, user: string, content: Content): string {
  const { rule, role, at, site, teams, givenAbove } = reasonOf(facts, user, content);
  const person = facts.users.get(user)?.displayName ?? user;
  const here = `this ${content.kind}`;
  const inherited = at !== undefined && !(at.kind === content.kind && at.id === content.id);
  const place =
    site !== undefined
      ? `site ${facts.siteRecords.get(site)?.title}, which ${here} is in and inherits from`
      : inherited
        ? `collection ${facts.collections.get(at.id)?.title}, which ${here} inherits from`
        : here;
  // Within the sentence, a comma closes the relative clause.
  const placed = place === here ? place : `${place},`;
  const [team] = teams;
  const name = facts.teams.get(team?.id ?? "")?.title;
  const above = givenAbove ? " What is given further up does not reach past it." : "";
  const guest = facts.members.get(user) === null;

  const speaking = site === undefined ? [] : saidBySites(facts, user, content);
  const ofSites =
    role !== null && speaking.length > 1 ? ` It is the highest of what ${speaking.length} sites say.` : "";

  switch (rule) {
    case "1":
      return role === null
        ? `No access, because ${person} is not a member of ${organization}.`
        : `admin, because ${person} is an admin of ${organization}, whatever else is set.`;
    case "2a": {
      const another = team !== undefined && team.role !== role;
      const before = another ? ` A direct permission counts before team ${name}’s ${wordOf(team.role)}.` : "";
      return `${start(role)}, because ${person} has ${wordOf(role)} directly on ${place}.${before}${ofSites}`;
    }
    case "2b": {
      const several = teams.length > 1 ? ` It is the highest of ${teams.length} team permissions there.` : "";
      return `${start(role)}, because team ${name} has ${wordOf(role)} on ${place}.${several}${ofSites}`;
    }
    case "2c":
      return guest
        ? `No access, because ${person} is a guest and the default level of ${placed} does not count for guests.${above}`
        : `${role}, because the default level of ${placed} is ${role}.${ofSites}`;
    case "2d":
      return `No access, because ${placed} is closed and ${person} has no permission on it.${above}`;
    case "3":
      return guest
        ? `No access, because ${person} is a guest of ${organization} with no permission on ${here} or above it.`
        : `${role}, because it is ${person}’s role in ${organization} and nothing on ${here} or above it says otherwise.`;
  }
}

function wordOf(role: Role | null): string {
  return role ?? "no access";
}

function start(role: Role | null): string {
  return role ?? "No access";
}

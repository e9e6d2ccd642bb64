/** The request for why a user has a role, and the role of one user on a content or site. */
import { contentKey, idOf } from "../../domain/content.ts";
import { type Role, rank } from "../../domain/role.ts";
import { type Explanation, type WhyLevel, commandFor } from "../../domain/why.ts";
import { absent } from "../../operations/authorize.ts";
import { findContent, findMember, findSite, keyOf, type Model } from "../../model/model.ts";
import { contentTitle } from "../../model/records.ts";
import { spacesOfSite } from "../../model/spaces.ts";
import { decisionOn, decisionOnSite, explanationOf } from "../../model/why.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import type { SpaceRole, WhyAnswer } from "../wire/answers.ts";
import type { Stamp } from "../wire/protocol.ts";
import { mayList, maySee, visible } from "./viewer.ts";
import type { Asking, ExplorerOperation } from "./operation.ts";
import { type SubjectName, idIn, isContent, keyIn, only, subjectOf } from "./query.ts";

export const why: ExplorerOperation = {
  id: "explorerWhy",
  path: "/explorer/why",
  summary: "Explain why a user has a role, or none",
  description:
    "The effective role of `user` on one `space`, `collection` or `site`, with the sentence and every step of the ladder, as `rolebook why` prints them. Callers who may list the content or the site may ask about anyone; a member may ask about themselves on every visible content.",
  parameters: ["space", "collection", "site", "user"],
  takes: "revision",
  ask(query) {
    const thing = subjectOf(query, ["space", "collection", "site"]);
    const { kind, id } = thing;
    if (kind !== "space" && kind !== "collection" && kind !== "site") throw absent(kind, id);
    only(query, [kind, "user", "revision"]);
    const user = idIn(query, "user");
    return async (asking) => {
      const oneself = asking.caller.member === user && kind !== "site";
      await (oneself ? maySee(asking, thing) : mayList(asking, thing));
      const model = await modelOf(asking.reading);
      const found = explanationOf(model, user, { kind, id });
      if (found === undefined) throw absent(kind, id);
      // Callers must not learn whether a user without a role exists.
      if (!asking.viewer.all && found.role === null) throw absent("user", user);
      const fields: Omit<WhyAnswer, keyof Stamp> = {
        ...found,
        levels: await seen(asking, found),
        ...(kind === "site" ? { spaces: rolesOnSpaces(model, id, user) } : {}),
        command: commandFor(user, found.subject, asking.past ? { at: asking.reading.at.revision } : {}),
      };
      return { of: "thing", fields };
    };
  },
};

/** Removes the levels of collections that the caller does not see, and of sites that do not decide. */
async function seen({ reading, viewer }: Asking, { levels }: Explanation): Promise<readonly WhyLevel[]> {
  if (viewer.all) return levels;
  const keyOfLevel = ({ kind, id }: WhyLevel) =>
    kind === "organization" || kind === "site" ? undefined : contentKey(kind, id);
  const found = await visible(
    reading,
    viewer,
    levels.flatMap((level) => keyOfLevel(level) ?? []),
  );
  return levels.filter((level) => {
    const key = keyOfLevel(level);
    if (key !== undefined) return found.has(key);
    return level.kind === "organization" || level.steps.some(({ mark }) => mark === "decides");
  });
}

/** The effective role of one user on a content or site; `null` for no access, no such user and no such site. */
export async function roleOn(reading: Reading, subject: SubjectName, user: string): Promise<Role | null> {
  const model = await modelOf(reading);
  const member = findMember(model, user);
  if (member === undefined) return null;
  if (!isContent(subject)) {
    const site = findSite(model, subject.id);
    return site === undefined ? null : (decisionOnSite(model, member, site)?.decision.role ?? null);
  }
  const content = findContent(model, keyIn(subject));
  return content === undefined ? null : (decisionOn(model, member, content)?.role ?? null);
}

/**
 * The effective role of one user on each space of a site, strongest first, then by title; `null` for no access comes
 * last.
 */
function rolesOnSpaces(model: Model, siteId: string, user: string): SpaceRole[] {
  const [site, member] = [findSite(model, siteId), findMember(model, user)];
  if (site === undefined || member === undefined) return [];
  const roles = Array.from(spacesOfSite(model, site), (space): SpaceRole => ({
    id: idOf(keyOf(model, space)),
    title: contentTitle(model, space),
    role: decisionOn(model, member, space)?.role ?? null,
  }));
  const strength = ({ role }: SpaceRole) => (role === null ? 0 : rank(role));
  return roles.sort((a, b) => strength(b) - strength(a) || (a.title < b.title ? -1 : 1));
}

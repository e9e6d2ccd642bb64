import { type Explanation, type WhyLevel, commandFor } from "../../../domain/why.ts";
import { absent } from "../../../operations/authorize.ts";
import { contentKey } from "../../../domain/content.ts";
import { explanationFor } from "../../../store/why.ts";
import { visible } from "../../queries/tree/viewer.ts";
import type { WhyAnswer } from "../../wire/answers.ts";
import type { Stamp } from "../../wire/protocol.ts";
import { mayList, maySee } from "../allow.ts";
import type { Asking, ExplorerOperation } from "../operation.ts";
import { idOf, only, subjectOf } from "../parameters/read.ts";
import { rolesOnSpaces } from "./role-on.ts";

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
    const user = idOf(query, "user");
    return async (asking) => {
      const oneself = asking.caller.member === user && kind !== "site";
      await (oneself ? maySee(asking, thing) : mayList(asking, thing));
      const found = await explanationFor(asking.reading, user, { kind, id });
      if (found === undefined) throw absent(kind, id);
      // Callers must not learn whether a user without a role exists.
      if (!asking.viewer.all && found.role === null) throw absent("user", user);
      const fields: Omit<WhyAnswer, keyof Stamp> = {
        ...found,
        levels: await seen(asking, found),
        ...(kind === "site" ? { spaces: await rolesOnSpaces(asking.reading, id, user) } : {}),
        command: commandFor(user, found.subject, asking.past ? { at: asking.reading.at.revision } : {}),
      };
      return { of: "thing", fields };
    };
  },
};

/** Removes the levels of collections that the caller does not see. */
async function seen({ reading, viewer }: Asking, { levels }: Explanation): Promise<readonly WhyLevel[]> {
  if (viewer.all) return levels;
  const keys = levels.flatMap(({ kind, id }) => (kind === "organization" ? [] : [contentKey(kind, id)]));
  const found = await visible(reading, viewer, keys);
  return levels.filter(({ kind, id }) => kind === "organization" || found.has(contentKey(kind, id)));
}

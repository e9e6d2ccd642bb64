import { memberOf } from "../../../store/directory/members.ts";
import { placed } from "../../queries/tree/placed.ts";
import { siteNodes } from "../../queries/tree/sites.ts";
import { teamNodes } from "../../../store/directory/teams.ts";
import { personOf } from "../../../store/directory/person.ts";
import type { Reading } from "../../../store/reading.ts";
import type { Viewer } from "../../queries/tree/viewer.ts";
import { isContent, keyOf, type Subject } from "../parameters/read.ts";

/** The title or display name of a subject; the id if the subject does not exist. */
export async function nameOf(reading: Reading, viewer: Viewer, subject: Subject): Promise<string> {
  const { kind, id } = subject;
  if (isContent(subject)) {
    const key = keyOf(subject);
    return (await placed(reading, viewer, [key])).get(key)?.node.title ?? id;
  }
  if (kind === "site") return (await siteNodes(reading, [id])).get(id)?.title ?? id;
  if (kind === "team") return (await teamNodes(reading, [id])).get(id)?.title ?? id;
  const member = await memberOf(reading, id);
  return member === undefined ? id : personOf(member).displayName;
}

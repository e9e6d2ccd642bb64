import { Compile } from "typebox/schema";
import { id, userId } from "../../../snapshot/records.ts";

const userIds = Compile(userId);
const ids = Compile(id);

/** Whether a user may have this id (contract, section 8). */
export function isUserId(text: string): boolean {
  return userIds.Check(text);
}

/** Whether a team, a content or a site may have this id (contract, section 8). */
export function isId(text: string): boolean {
  return ids.Check(text);
}

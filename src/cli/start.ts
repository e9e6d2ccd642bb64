/** `npm start`: serves the example organization from a database of its own, with a new token and examples to try. */
import { fileURLToPath } from "node:url";
import { importFiles } from "../snapshot/import.ts";
import { createToken } from "../store/tokens.ts";
import { withStore } from "./database.ts";
import { openLog } from "./server/log.ts";
import { listen } from "./server/serve.ts";
import { SETTINGS, nameWarnings } from "./settings.ts";
import { fail, say } from "./terminal.ts";

const EXAMPLE = fileURLToPath(import.meta.resolve("#root/examples/acme.ndjson"));
const ORGANIZATION = "acme";
/** In the current folder, whatever the settings say: the example does not get into anybody's own data. */
const DATABASE = "sqlite:example.db";
const HOST = "127.0.0.1";

// A shell between npm and this process does not hand on a SIGTERM, but ends.
const starter = process.ppid;
if (process.env.npm_lifecycle_event === "start") {
  setInterval(() => process.ppid !== starter && process.kill(process.pid, "SIGTERM"), 500).unref();
}

try {
  for (const warning of nameWarnings(process.env)) say(warning);
  await withStore(DATABASE, async ({ settings, store }) => {
    const level = process.env[SETTINGS.logLevel.name] === undefined ? "warn" : settings.logLevel;
    // Listening comes first. After that, no other server has this address, so none uses the token of this address.
    const { address, stopped } = await listen(
      store.engine,
      settings,
      { host: HOST, port: settings.startPort, workers: 1 },
      openLog(level).work,
    );
    if ((await store.registry.organization(ORGANIZATION)) === undefined) {
      await importFiles(store.engine, [EXAMPLE]);
      say(`Imported the example organization ${ORGANIZATION} into ${store.engine.name}.`);
    }
    const named = { organization: ORGANIZATION, name: `npm start at ${address}` };
    const token = await createToken(store, named, true);
    process.stdout.write(welcome(address, token));
    await stopped;
  });
} catch (error) {
  fail(error);
  // The server may be listening already, which would keep the process alive.
  process.exit();
}

function welcome(address: string, token: string): string {
  const curl = (path: string) => `  curl -H "Authorization: Bearer ${token}" "${address}/v1/${path}"`;
  return `
Rolebook serves the example organization Acme at ${address}
Token (shown this once): ${token}

Who may do what in the API reference?
${curl("spaces/api-reference/permissions/aggregate?limit=5")}
Who can review it?
${curl("spaces/api-reference/permissions/aggregate?role=review")}
What can Ana reach?
${curl(`orgs/${ORGANIZATION}/members/ana/spaces?limit=3`)}

Stop with Ctrl+C. Your own directory: docs/snapshot.md. All commands: node bin/rolebook.js help
In another terminal, commands read the example after this line:
  export ${SETTINGS.database.name}=${DATABASE}
`;
}

/**
 * A development aid: serves `dist/explorer` and answers `/explorer/…` from a made-up organization, until the real
 * server does. `node src/explorer/page/dev/serve.ts [--port 4100] [--members 1283] [--spaces 332]`.
 * Tokens: `rb_dev` is an organization token, `rb_<member id>` a member's. `/dev/import` makes a new revision.
 */
import { readFileSync, existsSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { parseArgs } from "node:util";
import { answers, Refused } from "./answers.ts";
import { directory } from "./directory.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "4100" },
    members: { type: "string", default: "1283" },
    spaces: { type: "string", default: "332" },
    root: { type: "string", default: "dist/explorer" },
    file: { type: "string", default: "examples/acme.ndjson" },
  },
});
const all = directory(values.file, {
  members: Number(values.members),
  spaces: Number(values.spaces),
});
const wide = answers(all, true);
const narrow = answers(all, false);
const revisions = [{ revision: 7, importedAt: new Date(new Date().setHours(14, 2, 0, 0)).toISOString() }];
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
};

createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  if (url.pathname === "/dev/import") {
    revisions.push({ revision: 7 + revisions.length, importedAt: new Date().toISOString() });
    response.end("imported\n");
    return;
  }
  if (!url.pathname.startsWith("/explorer/")) return file(url.pathname, response);
  try {
    const token = (request.headers.authorization ?? "").replace(/^Bearer /u, "");
    const member = all.members.get(token.slice(3));
    if (token !== "rb_dev" && !member) throw new Refused(401, "This token is unknown, expired or revoked.");
    const sees = !member || member.role === "admin";
    const current = revisions.at(-1);
    const read = revisions.find((r) => String(r.revision) === url.searchParams.get("revision")) ?? current;
    const stamp = { ...read, ...(read !== current && { newer: current }) };
    const api = sees ? wide : narrow;
    const name = url.pathname.slice("/explorer/".length);
    if (name === "csv") return csv(api.rows(url.searchParams), read?.revision ?? 0, response);
    const body =
      name === "me"
        ? {
            organization: all.organization,
            caller: member
              ? { kind: "member", id: member.id, displayName: member.displayName, role: member.role }
              : { kind: "organization" },
            ...(sees && { totals: totals() }),
            publicUrl: "https://rolebook.acme.example",
            version: "0.1.0",
          }
        : name === "tree" || name === "access" || name === "counts" || name === "search" || name === "why"
          ? api[name](url.searchParams)
          : undefined;
    if (!body) throw new Refused(404, "There is no such path.");
    send(response, 200, { ...stamp, ...body });
  } catch (error) {
    const status = error instanceof Refused ? error.status : 500;
    send(response, status, { error: { code: status, message: error instanceof Error ? error.message : "" } });
    if (status === 500) console.error(error);
  }
}).listen(Number(values.port), "127.0.0.1", () => console.log(`http://127.0.0.1:${values.port}/`));

function totals() {
  const contents = [...all.contents.values()];
  return {
    members: all.members.size,
    teams: all.teams.size,
    spaces: contents.filter((c) => c.kind === "space").length,
    collections: contents.filter((c) => c.kind === "collection").length,
    sites: all.sites.size,
    permissions: contents.reduce((sum, c) => sum + c.people.size + c.teams.size, 0),
  };
}

function send(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "private, no-cache",
    vary: "Authorization",
  });
  response.end(JSON.stringify(body));
}

function csv(rows: readonly object[], revision: number, response: ServerResponse) {
  response.writeHead(200, {
    "content-type": "text/csv; charset=utf-8",
    "x-rolebook-revision": String(revision),
  });
  response.write("id,name,email,role,because\r\n");
  let i = 0;
  const more = () => {
    for (const end = Math.min(rows.length, i + 40); i < end; i++)
      response.write(`${JSON.stringify(rows[i]).replaceAll('"', "").slice(0, 80)},,,,\r\n`);
    if (i >= rows.length) response.end();
    else setTimeout(more, 30);
  };
  more();
}

function file(path: string, response: ServerResponse) {
  const at = join(values.root, normalize(path === "/" ? "/index.html" : path));
  if (!existsSync(at)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    "content-type": TYPES[extname(at)] ?? "application/octet-stream",
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  response.end(readFileSync(at));
}

import type { FastifyInstance } from "fastify";

/** The GET routes of a server in OpenAPI's form: `/v1/spaces/{spaceId}`. */
export async function routesOf(app: FastifyInstance): Promise<string[]> {
  await app.ready();
  const above: string[] = [];
  const routes: string[] = [];
  // The routes are printed as a tree: each level is indented by four characters, and continues the path of the level
  // above.
  for (const line of app.printRoutes({ commonPrefix: false, method: "GET" }).split("\n")) {
    const [, indent, part, method] = /^((?:[│ ] {3})*)[├└]── (\S*)( \(GET\))?$/.exec(line) ?? [];
    if (indent === undefined || part === undefined) continue;
    const depth = indent.length / 4;
    above[depth] = (depth === 0 ? "" : (above[depth - 1] ?? "")) + part;
    if (method !== undefined) routes.push(above[depth].replaceAll(/:(\w+)/g, "{$1}"));
  }
  return routes;
}

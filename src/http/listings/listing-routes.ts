import { type Operation, parametersOf } from "../../operations/operation.ts";
import { OPERATIONS } from "../../operations/operations.ts";
import { routable } from "../request/target.ts";
import { AT } from "./when.ts";

export interface Listed {
  readonly operation: Operation;
  /** The path template of the route, with `/at/{when}` for a past revision. */
  readonly template: string;
  /** The decoded path parameters, by name. */
  readonly path: Readonly<Record<string, string>>;
  /** The decoded segment that names a past revision. */
  readonly when: string | undefined;
}

/** All routes of listings, by {@link groupOf}. A group has one or two. */
const ROUTES = Map.groupBy(
  OPERATIONS.flatMap((operation) =>
    [operation.path, AT + operation.path].map((path) => routeOf(operation, path)),
  ),
  ({ segments }) => groupOf(segments),
);

function routeOf(operation: Operation, template: string) {
  const segments = template.split("/");
  // Parsed once, because parsing the template for each request would cost more.
  const parameters = parametersOf(operation.path).map((name) => ({
    name,
    index: segments.indexOf(`{${name}}`),
  }));
  return { operation, template, segments, parameters };
}

/** Groups paths by their number of segments and their last segment, which is never a parameter. */
function groupOf(segments: readonly string[]): string {
  return `${segments.length} ${segments.at(-1)}`;
}

const WHEN = AT.split("/").length - 1;

/** The listing at a request's target, however it is percent-encoded; `undefined` if there is none. */
export function listingAt(target: string): Listed | undefined {
  const [name = ""] = routable(target).split("?", 1);
  const spelt = name.split("/");
  const segments = name.includes("%") ? spelt.map(decodeURIComponent) : spelt;
  const route = ROUTES.get(groupOf(segments))?.find((each) => fits(each.segments, segments));
  if (route === undefined) return undefined;
  const { operation, template, parameters } = route;
  const path: Record<string, string> = {};
  for (const { name, index } of parameters) path[name] = segments[index] ?? "";
  return { operation, template, path, when: template.startsWith(AT) ? segments[WHEN] : undefined };
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return template.every((segment, index) => segment.startsWith("{") || segment === segments[index]);
}

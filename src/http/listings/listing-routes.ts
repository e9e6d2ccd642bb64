import { type Operation, parametersOf } from "../../operations/operation.ts";
import { OPERATIONS } from "../../operations/operations.ts";
import { routable } from "../request/target.ts";
import { AT } from "./when.ts";

/** The listing at a request's path. */
export interface Listed {
  readonly operation: Operation;
  /** The path template: the operation's own, or the one for a past revision. */
  readonly template: string;
  /** The operation's path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The decoded WHEN; absent for the current revision. */
  readonly when: string | undefined;
}

/** The routes of all listings, grouped by {@link groupOf}. A group has one or two routes. */
const ROUTES = Map.groupBy(
  OPERATIONS.flatMap((operation) =>
    [operation.path, AT + operation.path].map((path) => routeOf(operation, path)),
  ),
  ({ segments }) => groupOf(segments),
);

function routeOf(operation: Operation, template: string) {
  const segments = template.split("/");
  // Parsed once: to cut the names from the template at each request would cost more.
  const parameters = parametersOf(operation.path).map((name) => ({
    name,
    place: segments.indexOf(`{${name}}`),
  }));
  return { operation, template, segments, parameters };
}

/** The number of segments of a path, and the last one, which is never a parameter. */
function groupOf(segments: readonly string[]): string {
  return `${segments.length} ${segments.at(-1)}`;
}

/** The index of the path segment that names a past revision. */
const WHEN = AT.split("/").length - 1;

/** The listing at a request's target, whatever its percent-encoding; `undefined` if there is none. */
export function listingAt(target: string): Listed | undefined {
  const [name = ""] = routable(target).split("?", 1);
  const spelt = name.split("/");
  const segments = name.includes("%") ? spelt.map(decodeURIComponent) : spelt;
  const route = ROUTES.get(groupOf(segments))?.find((each) => fits(each.segments, segments));
  if (route === undefined) return undefined;
  const { operation, template, parameters } = route;
  const path: Record<string, string> = {};
  for (const { name, place } of parameters) path[name] = segments[place] ?? "";
  return { operation, template, path, when: template.startsWith(AT) ? segments[WHEN] : undefined };
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return template.every((segment, index) => segment.startsWith("{") || segment === segments[index]);
}

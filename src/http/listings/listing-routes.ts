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

const ROUTES = OPERATIONS.flatMap((operation) =>
  [operation.path, AT + operation.path].map((template) => ({
    operation,
    template,
    segments: template.split("/"),
    // Parsed once: to cut the names from the template at each request would cost more.
    parameters: parametersOf(operation.path).map((name) => ({
      name,
      place: template.split("/").indexOf(`{${name}}`),
    })),
  })),
);

/** The index of the path segment that names a past revision. */
const WHEN = AT.split("/").length - 1;

/** The listing at a request's target, whatever its percent-encoding; `undefined` if there is none. */
export function listingAt(target: string): Listed | undefined {
  const [name = ""] = routable(target).split("?", 1);
  const spelt = name.split("/");
  const segments = name.includes("%") ? spelt.map(decodeURIComponent) : spelt;
  const route = ROUTES.find((each) => fits(each.segments, segments));
  if (route === undefined) return undefined;
  const { operation, template, parameters } = route;
  const path: Record<string, string> = {};
  for (const { name, place } of parameters) path[name] = segments[place] ?? "";
  return { operation, template, path, when: template.startsWith(AT) ? segments[WHEN] : undefined };
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((segment, index) => segment.startsWith("{") || segment === segments[index])
  );
}

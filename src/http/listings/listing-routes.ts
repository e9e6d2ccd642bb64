import type { Operation } from "../../operations/operation.ts";
import { OPERATIONS } from "../../operations/operations.ts";
import { routable } from "../request/target.ts";
import { AT } from "./when.ts";

/** The listing that a request's target names. */
export interface Listed {
  readonly operation: Operation;
  /** The template of the path: the operation's own, or the one for a past revision. */
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
  })),
);

/** The listing at a request's target, whatever its percent-encoding; `undefined` if there is none. */
export function listingAt(target: string): Listed | undefined {
  const [name = ""] = routable(target).split("?", 1);
  const spelt = name.split("/");
  const segments = name.includes("%") ? spelt.map(decodeURIComponent) : spelt;
  const route = ROUTES.find((each) => fits(each.segments, segments));
  if (route === undefined) return undefined;
  const path: Record<string, string> = {};
  for (const [index, segment] of route.segments.entries()) {
    if (segment.startsWith("{")) path[segment.slice(1, -1)] = segments[index] ?? "";
  }
  const { when, ...own } = path;
  return { operation: route.operation, template: route.template, path: own, when };
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((segment, index) => segment.startsWith("{") || segment === segments[index])
  );
}

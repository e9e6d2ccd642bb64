import type { OpenapiDocument, OperationObject, ParameterObject, ResponseObject } from "../openapi/shape.ts";

export interface Resolved {
  readonly path: string;
  readonly operation: OperationObject;
  readonly parameters: readonly ParameterObject[];
  readonly responses: readonly (readonly [status: string, response: ResponseObject])[];
}

/** The operations of a document with their references resolved. Throws an Error if a reference has no target. */
export function operationsOf({ paths, components }: OpenapiDocument): Resolved[] {
  return Object.entries(paths).map(([path, { get: operation }]) => ({
    path,
    operation,
    parameters: operation.parameters.map((each) =>
      "$ref" in each ? target(components.parameters, each.$ref) : each,
    ),
    responses: Object.entries(operation.responses).map(([status, each]) => [
      status,
      "$ref" in each ? target(components.responses, each.$ref) : each,
    ]),
  }));
}

/** The component that a reference names. Throws an Error if there is none. */
export function target<Component>(components: Readonly<Record<string, Component>>, $ref: string): Component {
  const found = components[$ref.slice($ref.lastIndexOf("/") + 1)];
  if (found === undefined) throw new Error(`The OpenAPI document refers to ${$ref}, which it does not have.`);
  return found;
}

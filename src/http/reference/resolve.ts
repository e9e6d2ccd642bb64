import type { OpenapiDocument, OperationObject, ParameterObject, ResponseObject } from "../openapi/shape.ts";

/** An operation with what it refers to put in its place. */
export interface Resolved {
  readonly path: string;
  readonly operation: OperationObject;
  readonly parameters: readonly ParameterObject[];
  readonly responses: readonly (readonly [status: string, response: ResponseObject])[];
}

/** Every operation of a document, in its order. Throws for a reference to nothing. */
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

/** What a reference names among components of one kind. Throws where there is nothing. */
export function target<Component>(components: Readonly<Record<string, Component>>, $ref: string): Component {
  const found = components[$ref.slice($ref.lastIndexOf("/") + 1)];
  if (found === undefined) throw new Error(`The OpenAPI document refers to ${$ref}, which it does not have.`);
  return found;
}

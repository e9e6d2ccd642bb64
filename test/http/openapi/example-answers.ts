import { OPERATIONS } from "../../../src/operations/operations.ts";
import { THINGS } from "../../../src/operations/things.ts";
import { type Listing, parametersOf, type Thing } from "../../../src/operations/operation.ts";
import { PATH_PARAMETERS, QUERY_PARAMETERS, queryParametersOf } from "../../../src/operations/parameters.ts";
import { acme } from "../../examples/acme.ts";
import { sqlitePlace, World } from "../../world.ts";

/** The example request of an operation in the OpenAPI document. */
export function exampleRequest(operation: Listing | Thing): string {
  let { path } = operation;
  for (const name of parametersOf(path)) {
    path = path.replace(`{${name}}`, encodeURIComponent(String(PATH_PARAMETERS[name]?.example)));
  }
  const names = "list" in operation ? queryParametersOf(operation) : [];
  const query = names.flatMap((name) => {
    const { example } = QUERY_PARAMETERS[name];
    return example === undefined ? [] : [`${name}=${example}`];
  });
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** The program's answers to the example requests for Acme, by operation id. */
export async function exampleAnswers(): Promise<Record<string, unknown>> {
  const world = await World.open(sqlitePlace);
  try {
    await world.import(acme);
    const token = await world.token("acme");
    const member = await world.token("acme", String(PATH_PARAMETERS.userId?.example));
    const answers: Record<string, unknown> = {};
    for (const operation of OPERATIONS) {
      answers[operation.id] = await world.page(exampleRequest(operation), token);
    }
    for (const thing of THINGS) {
      const { body } = await world.get(exampleRequest(thing), thing.asker === "nobody" ? token : member);
      answers[thing.id] = JSON.parse(body);
    }
    return answers;
  } finally {
    await world.close();
  }
}

import type {
  CountsAnswer,
  OverviewAnswer,
  PlaceAnswer,
  RulesAnswer,
  SinceAnswer,
  WhyAnswer,
  WithoutAnswer,
} from "../../wire/answers.ts";
import type { Client, QueryValues } from "./client.ts";

/** What the page asks once per revision, with the answers. */
export interface AnswerOf {
  readonly tree: PlaceAnswer;
  readonly counts: CountsAnswer;
  readonly overview: OverviewAnswer;
  readonly why: WhyAnswer;
  readonly rules: RulesAnswer;
  readonly without: WithoutAnswer;
  readonly since: SinceAnswer;
}

/** The largest number of cached answers. Back shows a cached answer at once. */
const KEPT_ANSWERS = 200;

/** The answers of a session, each requested once: within a revision an answer does not change. */
export class Answers {
  readonly #client: Client;
  readonly #known = new Map<string, never>();

  constructor(client: Client) {
    this.#client = client;
    client.reloads.subscribe(() => this.#known.clear());
  }

  known<Question extends keyof AnswerOf>(
    question: Question,
    query: QueryValues,
  ): AnswerOf[Question] | undefined {
    return this.#known.get(JSON.stringify([question, query]));
  }

  async ask<Question extends keyof AnswerOf>(
    question: Question,
    query: QueryValues,
    signal: AbortSignal,
  ): Promise<AnswerOf[Question]> {
    const answer = await this.#client.get<never>(question, query, signal);
    const oldest = this.#known.keys().next();
    if (this.#known.size >= KEPT_ANSWERS && !oldest.done) this.#known.delete(oldest.value);
    this.#known.set(JSON.stringify([question, query]), answer);
    return answer;
  }
}

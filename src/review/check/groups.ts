/** Contents on which everybody has the same role: each group is folded once. */
import type { ContentKey } from "../../domain/content.ts";
import { kindOf } from "../../domain/content.ts";
import type { Head } from "../../sets/head.ts";
import type { Content } from "../../store/directory/content.ts";
import { ladderOf } from "../../store/directory/inheritance.ts";
import { isGivenDirectly } from "../../store/listings/content-folds.ts";
import { countingOn, type ReadyRule } from "./asked.ts";
import { isIn } from "./scope.ts";
import { Question } from "./question.ts";

/** The questions on some contents, and whose roles answer them. */
export interface Group {
  /** Empty where it is about what users were given on the very content, and nobody was. */
  readonly ladder: readonly Content[];
  readonly direct: boolean;
  /** By rule and the exceptions that count. */
  readonly questions: Map<string, Question>;
}

/** A rule's question on one content. */
export interface Asked {
  readonly key: ContentKey;
  /** The rule's place. */
  readonly place: number;
  readonly question: Question;
}

/** Sorts contents into groups, and remembers those that contents still to come may belong to. */
export class Groups {
  readonly #rules: readonly ReadyRule[];
  readonly #known = new Map<string, Group>();
  /** Groups and questions that have not been answered yet. */
  #open = new Map<Group, Question[]>();

  constructor(rules: readonly ReadyRule[]) {
    this.#rules = rules;
  }

  /** What the rules ask on a content. */
  ask(key: ContentKey, loaded: ReadonlyMap<ContentKey, Content>, heads: ReadonlyMap<string, Head>): Asked[] {
    const content = loaded.get(key);
    if (content === undefined) throw new Error(`${key} is not in the revision.`);
    const ladder = ladderOf(content, loaded);
    let effective: Group | undefined;
    let direct: Group | undefined;
    return this.#rules.flatMap((ready, place): Asked[] => {
      if (ready.scope === undefined || !isIn(ready.scope, key)) return [];
      const group = ready.rule.direct
        ? (direct ??= this.#groupOf(ladder, heads, true))
        : (effective ??= this.#groupOf(ladder, heads, false));
      const counting = countingOn(ready, key);
      const id = [place, ...counting.map(({ place }) => place)].join(" ");
      let question = group.questions.get(id);
      if (question === undefined) {
        question = new Question(ready, counting);
        group.questions.set(id, question);
        this.#open.set(group, [...(this.#open.get(group) ?? []), question]);
      }
      return [{ key, place, question }];
    });
  }

  /** The questions that were asked and not answered, to be answered now. */
  takeOpen(): ReadonlyMap<Group, readonly Question[]> {
    const open = this.#open;
    this.#open = new Map();
    return open;
  }

  #groupOf(ladder: readonly Content[], heads: ReadonlyMap<string, Head>, direct: boolean): Group {
    const [own] = ladder;
    if (own === undefined) throw new Error("A content has a ladder with itself on it.");
    const telling = direct
      ? ladder.slice(0, 1).filter(({ content }) => isGivenDirectly(content, heads))
      : ladder.filter(({ content, teams, defaultLevel }) => {
          return defaultLevel !== "inherit" || teams.size > 0 || isGivenDirectly(content, heads);
        });
    const signature = `${direct ? "direct" : "effective"} ${telling.map(({ content }) => content).join(" ")}`;
    const known = this.#known.get(signature);
    if (known !== undefined) return known;
    const group: Group = {
      ladder: telling.length === 0 && direct ? [] : ladder,
      direct,
      questions: new Map(),
    };
    // Nothing inherits from a space, so what is set on it is nobody else's.
    const isShared = telling[0]?.content !== own.content || (kindOf(own.content) === "collection" && !direct);
    if (isShared) this.#known.set(signature, group);
    return group;
  }
}

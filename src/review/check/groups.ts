/** Groups contents on which everybody has the same role; a group is folded once. */
import { type ContentKey, kindOf } from "../../domain/content.ts";
import type { Head } from "../../sets/head.ts";
import type { Content } from "../../store/directory/content.ts";
import { ladderOf } from "../../store/directory/inheritance.ts";
import { isGivenDirectly } from "../../store/folds/content-folds.ts";
import { countingOn, type ResolvedRule } from "./resolve.ts";
import { isIn } from "./scope.ts";
import { Question } from "./question.ts";

/** Contents with the same answers: the ladder of one of them, and the questions about it. */
export interface Group {
  /** Empty if only direct permissions are asked for and there are none. */
  readonly ladder: readonly Content[];
  readonly direct: boolean;
  /** By rule and exceptions: contents with the same key share a question. */
  readonly questions: Map<string, Question>;
}

export interface Asked {
  readonly key: ContentKey;
  /** The index of the rule. */
  readonly index: number;
  readonly question: Question;
}

/** Finds the group of each content. A group is kept as long as later contents can belong to it. */
export class Groups {
  readonly #rules: readonly ResolvedRule[];
  readonly #known = new Map<string, Group>();
  /** The questions that are not answered yet, by group. */
  #open = new Map<Group, Question[]>();

  constructor(rules: readonly ResolvedRule[]) {
    this.#rules = rules;
  }

  ask(key: ContentKey, loaded: ReadonlyMap<ContentKey, Content>, heads: ReadonlyMap<string, Head>): Asked[] {
    const content = loaded.get(key);
    if (content === undefined) throw new Error(`${key} is not in the revision.`);
    const ladder = ladderOf(content, loaded);
    let effective: Group | undefined;
    let direct: Group | undefined;
    return this.#rules.flatMap((resolved, index): Asked[] => {
      if (resolved.scope === undefined || !isIn(resolved.scope, key)) return [];
      const group = resolved.rule.direct
        ? (direct ??= this.#groupOf(ladder, heads, true))
        : (effective ??= this.#groupOf(ladder, heads, false));
      const counting = countingOn(resolved, key);
      const id = [index, ...counting.map(({ index }) => index)].join(" ");
      let question = group.questions.get(id);
      if (question === undefined) {
        question = new Question(resolved, counting);
        group.questions.set(id, question);
        this.#open.set(group, [...(this.#open.get(group) ?? []), question]);
      }
      return [{ key, index, question }];
    });
  }

  /** The questions that were added since the last call. */
  takeOpen(): ReadonlyMap<Group, readonly Question[]> {
    const open = this.#open;
    this.#open = new Map();
    return open;
  }

  #groupOf(ladder: readonly Content[], heads: ReadonlyMap<string, Head>, direct: boolean): Group {
    const [own] = ladder;
    if (own === undefined) throw new Error("A content has a ladder with itself on it.");
    const deciding = direct
      ? ladder.slice(0, 1).filter(({ content }) => isGivenDirectly(content, heads))
      : ladder.filter(({ content, teams, defaultLevel }) => {
          return defaultLevel !== "inherit" || teams.size > 0 || isGivenDirectly(content, heads);
        });
    const signature = `${direct ? "direct" : "effective"} ${deciding.map(({ content }) => content).join(" ")}`;
    const known = this.#known.get(signature);
    if (known !== undefined) return known;
    const group: Group = {
      ladder: deciding.length === 0 && direct ? [] : ladder,
      direct,
      questions: new Map(),
    };
    // A group that begins with permissions on the content itself has further contents only if these inherit the
    // permissions: never from a space, and never direct permissions alone.
    const isShared =
      deciding[0]?.content !== own.content || (kindOf(own.content) === "collection" && !direct);
    if (isShared) this.#known.set(signature, group);
    return group;
  }
}

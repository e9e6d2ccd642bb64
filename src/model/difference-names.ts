/** The names in a comparison of two states: as of the state after or, for what is missing there, as of the one before. */
import type { ContentKey } from "../domain/content.ts";
import type { Names } from "../domain/reason.ts";
import { findContent, findMember, findSite, findTeam, type Model } from "./model.ts";
import { contentTitle, personIn, siteTitle, teamTitle } from "./records.ts";

export interface ContentName {
  readonly title: string;
  /** The titles of the content's ancestors, topmost first. */
  readonly path: readonly string[];
}

/** Finds the title and the path of a content; `undefined` if neither state has it. */
export function contentNames(before: Model, after: Model): (key: ContentKey) => ContentName | undefined {
  const sides = [after, before].map((model) => ({ model, paths: new Map<number, readonly string[]>() }));
  return (key) => {
    for (const { model, paths } of sides) {
      const content = findContent(model, key);
      if (content !== undefined)
        return { title: contentTitle(model, content), path: pathTo(model, content, paths) };
    }
    return undefined;
  };
}

/** The titles of what is around a content. `paths` keeps them by the nearest collection. */
function pathTo(model: Model, content: number, paths: Map<number, readonly string[]>): readonly string[] {
  const parent = model.contents.parents[content] ?? -1;
  if (parent < 0) return [];
  const known = paths.get(parent);
  if (known !== undefined) return known;
  const path = [...pathTo(model, parent, paths), contentTitle(model, parent)];
  paths.set(parent, path);
  return path;
}

/** The names in sentences about changed records. What neither state has keeps its id. */
export function namesIn(before: Model, after: Model): Names {
  const sides = [after, before];
  function nameOf<Id extends string>(
    id: Id,
    find: (model: Model, id: Id) => number | undefined,
    name: (model: Model, number: number) => string,
  ): string {
    for (const model of sides) {
      const found = find(model, id);
      if (found !== undefined) return name(model, found);
    }
    return id;
  }
  return {
    user: (id) => nameOf(id, findMember, (model, member) => personIn(model, member).displayName),
    team: (id) => nameOf(id, findTeam, teamTitle),
    site: (id) => nameOf(id, findSite, siteTitle),
    content: (key) => nameOf(key, findContent, contentTitle),
  };
}

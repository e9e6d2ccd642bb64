/** What records of a model say: the documents and names of members, contents and teams. */
import type { Document } from "../domain/document.ts";
import { idOf, kindOf } from "../domain/content.ts";
import type { ContentRef, Titled, Titles } from "../domain/reason.ts";
import { titleIn } from "../domain/record-change.ts";
import type { Person } from "../domain/why.ts";
import { findContent, findSite, findTeam, keyOf, memberId, type Model, NOTHING } from "./model.ts";
import { textOf } from "./texts.ts";

/** A space or a collection as stored. */
export function contentDocument({ contents }: Model, content: number): Document {
  return { text: textOf(contents.texts, content), omitted: contents.omitted[content] ?? 0 };
}

/** A member as lists show them. */
export function personIn(model: Model, member: number): Person {
  const { displayName, email }: { displayName: string; email?: string } = JSON.parse(
    textOf(model.members.profiles, member),
  );
  return {
    id: memberId(model, member),
    displayName,
    ...(email === undefined ? {} : { email }),
    ...(model.members.roles[member] === NOTHING ? { guest: true as const } : {}),
  };
}

export function contentTitle({ contents }: Model, content: number): string {
  return titleIn(textOf(contents.texts, content));
}

export function teamTitle({ teams }: Model, team: number): string {
  return titleIn(teams.texts[team] ?? "");
}

export function siteTitle({ sites }: Model, site: number): string {
  return sites.titles[site] ?? "";
}

/** A content as findings name it. */
export function contentRef(model: Model, content: number): ContentRef {
  const key = keyOf(model, content);
  return { kind: kindOf(key), id: idOf(key), title: contentTitle(model, content) };
}

export function teamRef(model: Model, team: number): Titled {
  return { id: model.teams.ids[team] ?? "", title: teamTitle(model, team) };
}

/** The titles in the words of a reason. What the model does not have keeps its id. */
export function titlesIn(model: Model): Titles {
  return {
    content: (key) => {
      const found = findContent(model, key);
      return found === undefined ? key : contentTitle(model, found);
    },
    team: (id) => {
      const found = findTeam(model, id);
      return found === undefined ? id : teamTitle(model, found);
    },
    site: (id) => {
      const found = findSite(model, id);
      return found === undefined ? id : siteTitle(model, found);
    },
  };
}

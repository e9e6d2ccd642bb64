/**
 * What has an id or a name similar to a wrong one, nearest first, for error messages. Each function looks at all that the
 * organization has: seconds in a huge one, so a server does not call them.
 */
import { Nearest } from "../domain/text.ts";
import { keyOf, type Model } from "./model.ts";
import { contentTitle, personIn } from "./records.ts";
import type { ContentOrSite } from "./why.ts";

/** The ids of members whose id, name or e-mail address is similar to `wanted`. */
export function nearestMembers(model: Model, wanted: string): readonly string[] {
  const nearest = new Nearest(wanted);
  for (let member = 0; member < model.members.count; member++) {
    const { id, displayName, email = "" } = personIn(model, member);
    nearest.add(id, displayName, email);
  }
  return nearest.ids;
}

/** Contents and sites whose id or title is similar, each as KIND/ID; with `kind`, only those of one kind. */
export function nearestContentsAndSites(
  model: Model,
  wanted: string,
  kind?: ContentOrSite["kind"],
): readonly string[] {
  const nearest = new Nearest(wanted);
  const add = (key: string, title: string) => {
    const [kindOfKey = "", id = ""] = key.split("/");
    if (kind === undefined || kind === kindOfKey) nearest.add(key, id, title);
  };
  for (const content of model.contents.byKey) add(keyOf(model, content), contentTitle(model, content));
  for (const [site, id] of model.sites.ids.entries()) add(`site/${id}`, model.sites.titles[site] ?? "");
  return nearest.ids;
}

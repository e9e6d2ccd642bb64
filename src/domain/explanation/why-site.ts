import type { Titled } from "./reason.ts";
import { noSiteSentence, siteSentence, strangerSentence } from "./sentence.ts";
import type { Explanation, Person } from "./why.ts";

/**
 * Why a user has a role on a site, or none. `inner` explains the space that gives the role (contract, section 4,
 * endpoint 8); absent if no space gives one. `spaces` is the number of spaces of the site.
 */
export function explainSite(
  site: Titled,
  spaces: number,
  user: Person,
  inner: Explanation | undefined,
): Explanation {
  const subject = { kind: "site" as const, id: site.id, title: site.title };
  if (inner?.role == null) return { user, subject, role: null, sentence: noSiteSentence(spaces), levels: [] };
  const space = { id: inner.subject.id, title: inner.subject.title };
  const sentence = siteSentence(inner.role, user, spaces, space, inner.sentence);
  return { ...inner, subject, space, sentence };
}

export function explainStrangerOnSite(site: Titled, organization: Titled, user: Person): Explanation {
  const subject = { kind: "site" as const, id: site.id, title: site.title };
  const sentence = strangerSentence(user, organization);
  return { user, subject, role: null, sentence, levels: [] };
}

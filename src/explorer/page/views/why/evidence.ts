import { type Titled, plain } from "../../../../domain/reason.ts";
import type { WhyAnswer } from "../../../wire/why.ts";
import { nameOf, rawName } from "../../words/names.ts";

/**
 * An answer as text for other documents: person, role, content, organization, revision, reason and link. Ids and e-mail
 * addresses distinguish people with the same name.
 */
export function evidence(answer: WhyAnswer, organization: Titled | undefined, link: string): string {
  const { user, subject, role, sentence, revision, importedAt } = answer;
  const person = [user.email, `id ${user.id}`, user.guest && "guest"].filter(Boolean).join(", ");
  const where = organization === undefined ? "" : ` of ${nameOf(organization)} (id ${organization.id})`;
  return (
    [
      `${rawName(user)} (${person}) has ${role ?? "no access"} on ${subject.kind} ${rawName(subject)} (id ${subject.id})${where}`,
      `as of ${importedAt}, revision ${revision}.`,
    ].join(", ") + ` ${plain(sentence)} ${link}`
  );
}

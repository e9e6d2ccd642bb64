import { explainSite } from "../../../domain/why-site.ts";
/** The answers of the seven endpoints, by brute force over the whole directory. */
import { contentKey, type ContentKey } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/order.ts";
import { isRole, rank, ROLES, type Role } from "../../../domain/role.ts";
import { fold } from "../../../domain/title.ts";
import type {
  AccessRow,
  ContentNode,
  Hit,
  MemberNode,
  Person,
  Reason,
  SiteNode,
  TeamNode,
} from "../../wire.ts";
import { above, type DevContent, type DevMember, type DevTeam, type Directory } from "./directory.ts";
import { because, decisionOf, whyOf } from "./words.ts";

export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Query = URLSearchParams;
const missing = () => new Refused(404, "There is no such thing here, or this token cannot see it.");

const given = (content: DevContent) => content.people.size + content.teams.size;

const person = (member: DevMember): Person => ({
  id: member.id,
  displayName: member.displayName,
  ...(member.email !== undefined && { email: member.email }),
  ...(member.role === null && { guest: true as const }),
});

const byRole = (a: { role: Role; id: string }, b: { role: Role; id: string }) =>
  rank(b.role) - rank(a.role) || compareIds(a.id, b.id);

function role(query: Query): Role | undefined {
  const text = query.get("role");
  if (text === null) return undefined;
  if (!isRole(text))
    throw new Refused(
      400,
      `The parameter role was “${text}”; it accepts admin, create, edit, review, comment and read.`,
    );
  return text;
}

const tally = (list: readonly { role: Role }[]) =>
  Object.fromEntries(ROLES.map((role) => [role, list.filter((row) => row.role === role).length]));

export function answers(all: Directory, wide: boolean) {
  const children = new Map<string, DevContent[]>();
  for (const content of all.contents.values()) {
    const parent = content.parent ?? "";
    const level = children.get(parent);
    if (level) level.push(content);
    else children.set(parent, [content]);
  }
  for (const level of children.values())
    level.sort(
      (a, b) =>
        a.kind.localeCompare(b.kind) ||
        a.title.localeCompare(b.title, "en", { numeric: true }) ||
        compareIds(a.id, b.id),
    );

  const node = (content: DevContent): ContentNode =>
    content.kind === "collection"
      ? {
          kind: "collection",
          id: content.id,
          title: content.title,
          defaultLevel: content.defaultLevel,
          given: given(content),
          children: children.get(content.id)?.length ?? 0,
        }
      : {
          kind: "space",
          id: content.id,
          title: content.title,
          ...(content.emoji && { emoji: content.emoji }),
          visibility: content.visibility,
          defaultLevel: content.defaultLevel,
          given: given(content),
        };
  const teamNode = (team: DevTeam): TeamNode => ({
    kind: "team",
    id: team.id,
    title: team.title,
    createdAt: team.createdAt,
    members: team.members.size,
    spaces: [...all.contents.values()].filter((c) => c.kind === "space" && c.teams.has(team.id)).length,
  });
  const siteNode = (id: string): SiteNode => {
    const site = all.sites.get(id);
    if (!site) throw missing();
    return { kind: "site", id, title: site.title, spaces: site.spaces.length };
  };
  const path = (content: DevContent) => above(all, content).map((c) => c.title);

  function content(query: Query): DevContent | undefined {
    const key = query.has("space")
      ? contentKey("space", query.get("space") ?? "")
      : query.has("collection")
        ? contentKey("collection", query.get("collection") ?? "")
        : undefined;
    if (!key) return undefined;
    const found = all.contents.get(key);
    if (!found) throw missing();
    return found;
  }

  const effective = new Map<string, AccessRow[]>();
  function everyone(query: Query): AccessRow[] {
    const cacheKey = `${query.get("space")}|${query.get("collection")}|${query.get("site")}`;
    const known = effective.get(cacheKey);
    if (known) return known;
    const rows: AccessRow[] = [];
    const at = content(query);
    const site = query.get("site");
    const spaces = at
      ? [at]
      : (all.sites.get(site ?? "")?.spaces ?? [])
          .toSorted(compareIds)
          .flatMap((id) => all.contents.get(contentKey("space", id)) ?? []);
    if (!at) siteNode(site ?? "");
    for (const member of all.members.values()) {
      let best: { role: Role; reason: Reason } | undefined;
      for (const space of spaces) {
        const key = contentKey(space.kind, space.id);
        const decision = decisionOf(all, key, member);
        if (decision && (!best || rank(decision.role) > rank(best.role)))
          best = {
            role: decision.role,
            reason: because(all, key, decision, at ? undefined : { id: space.id, title: space.title }),
          };
      }
      if (best) rows.push({ user: person(member), ...best });
    }
    rows.sort((a, b) => byRole({ role: a.role, id: a.user.id }, { role: b.role, id: b.user.id }));
    effective.set(cacheKey, rows);
    return rows;
  }

  function reach(member: DevMember) {
    return [...all.contents.values()].flatMap((space) => {
      if (space.kind !== "space") return [];
      const key: ContentKey = contentKey("space", space.id);
      const decision = decisionOf(all, key, member);
      return decision
        ? [
            {
              space: node(space),
              path: path(space),
              role: decision.role,
              createdAt: space.createdAt,
              reason: because(all, key, decision),
            },
          ]
        : [];
    });
  }

  const memberOf = (id: string | null) => {
    const member = all.members.get(id ?? "");
    if (!member) throw missing();
    return member;
  };
  const teamOf = (id: string | null) => {
    const team = all.teams.get(id ?? "");
    if (!team) throw missing();
    return team;
  };

  function rows(query: Query): readonly object[] {
    const wanted = role(query);
    const q = fold(query.get("q") ?? "");
    const tab = query.get("tab");
    const at = content(query);
    if (at && !wide) throw new Refused(403, "This token may see this but not list who has access.");
    if (at && tab === "people")
      return [...at.people]
        .map(([id, role]) => ({
          user: person(memberOf(id)),
          role,
          reason: { rule: "direct", because: ["direct permission here"] },
        }))
        .sort((a, b) => byRole({ role: a.role, id: a.user.id }, { role: b.role, id: b.user.id }));
    if (at && tab === "teams")
      return [...at.teams]
        .map(([id, role]) => ({ team: teamNode(teamOf(id)), role }))
        .sort((a, b) => byRole({ role: a.role, id: a.team.id }, { role: b.role, id: b.team.id }));
    if (query.has("site") && tab === "spaces") {
      siteNode(query.get("site") ?? "");
      return (all.sites.get(query.get("site") ?? "")?.spaces ?? [])
        .flatMap((id) => {
          const space = all.contents.get(contentKey("space", id));
          return space ? [{ space: node(space), path: path(space) }] : [];
        })
        .sort((a, b) => a.space.title.localeCompare(b.space.title));
    }
    if (at || query.has("site")) return everyone(query).filter((row) => !wanted || row.role === wanted);
    if (query.has("member")) {
      const member = memberOf(query.get("member"));
      if (tab === "teams")
        return [...member.teams]
          .map(([id, role]) => ({ team: teamNode(teamOf(id)), role }))
          .filter((row) => fold(row.team.title).includes(q))
          .sort((a, b) => compareIds(a.team.id, b.team.id));
      const list = reach(member)
        .filter((row) => !wanted || row.role === wanted)
        .sort((a, b) => compareIds(a.createdAt, b.createdAt) || compareIds(a.space.id, b.space.id));
      return query.get("order") === "asc" ? list : list.toReversed();
    }
    if (query.has("team")) {
      const team = teamOf(query.get("team"));
      if (tab === "members")
        return [...team.members]
          .map(([id, role]) => ({ user: person(memberOf(id)), role }))
          .sort((a, b) => compareIds(a.user.id, b.user.id));
      return [...all.contents.values()]
        .flatMap((c) => {
          const role = c.teams.get(team.id);
          return role ? [{ content: node(c), path: path(c), role }] : [];
        })
        .sort((a, b) => byRole({ role: a.role, id: a.content.id }, { role: b.role, id: b.content.id }));
    }
    if (query.get("list") === "members")
      return [...all.members.values()]
        .filter((m) => fold(`${m.displayName}\n${m.email ?? ""}`).includes(q))
        .sort((a, b) => compareIds(a.id, b.id))
        .map((m) => ({ user: person(m), role: m.role }));
    if (query.get("list") === "teams")
      return [...all.teams.values()]
        .filter((t) => fold(t.title).includes(q))
        .sort((a, b) => compareIds(a.id, b.id))
        .map((t) => ({ team: teamNode(t) }));
    throw missing();
  }

  function tree(query: Query): object {
    if (query.get("kind") === "site")
      return paged(
        [...all.sites.keys()].map(siteNode).sort((a, b) => a.title.localeCompare(b.title)),
        query,
      );
    const at = content(query);
    if (at) return { subject: node(at), ancestors: above(all, at).map(node) };
    if (query.has("site")) return { subject: siteNode(query.get("site") ?? ""), ancestors: [] };
    if (query.has("member")) {
      const m = memberOf(query.get("member"));
      const subject: MemberNode = {
        kind: "member",
        id: m.id,
        displayName: m.displayName,
        ...(m.email !== undefined && { email: m.email }),
        role: m.role,
      };
      return { subject, ancestors: [] };
    }
    if (query.has("team")) return { subject: teamNode(teamOf(query.get("team"))), ancestors: [] };
    return paged((children.get(query.get("parent") ?? "") ?? []).map(node), query);
  }

  function counts(query: Query): object {
    const at = content(query);
    if (at && !wide) throw new Refused(403, "This token may see this but not list who has access.");
    if (at)
      return {
        roles: tally(everyone(query)),
        tabs: { everyone: everyone(query).length, people: at.people.size, teams: at.teams.size },
      };
    if (query.has("site"))
      return {
        roles: tally(everyone(query)),
        tabs: { everyone: everyone(query).length, spaces: siteNode(query.get("site") ?? "").spaces },
      };
    if (query.has("member")) {
      const member = memberOf(query.get("member"));
      const list = reach(member);
      return { roles: tally(list), tabs: { spaces: list.length, teams: member.teams.size } };
    }
    const team = teamOf(query.get("team"));
    return {
      tabs: {
        permissions: [...all.contents.values()].filter((c) => c.teams.has(team.id)).length,
        members: team.members.size,
      },
    };
  }

  function search(query: Query): object {
    const q = fold(query.get("q") ?? "");
    const hits: { score: number; hit: Hit }[] = [];
    const consider = (texts: (string | undefined)[], order: number, hit: () => Hit) => {
      let best = 4;
      for (const text of texts) {
        const folded = fold(text ?? "");
        const at = folded.indexOf(q);
        if (q === "" || at < 0) continue;
        best = Math.min(
          best,
          folded === q ? 0 : at === 0 ? 1 : /[\s._-]/u.test(folded[at - 1] ?? "") ? 2 : 3,
        );
      }
      if (best < 4) hits.push({ score: best * 10 + order, hit: hit() });
    };
    if (query.get("kind") !== "member") {
      for (const c of all.contents.values())
        consider([c.title], 0, () =>
          c.kind === "space"
            ? { kind: "space", id: c.id, title: c.title, ...(c.emoji && { emoji: c.emoji }), path: path(c) }
            : { kind: "collection", id: c.id, title: c.title, path: path(c) },
        );
      for (const s of all.sites.values())
        consider([s.title], 1, () => ({ kind: "site", id: s.id, title: s.title, spaces: s.spaces.length }));
      for (const t of all.teams.values())
        consider([t.title], 3, () => ({ kind: "team", id: t.id, title: t.title, members: t.members.size }));
    }
    for (const m of all.members.values())
      consider([m.displayName, m.email], 2, () => ({ kind: "member", ...person(m) }));
    hits.sort((a, b) => a.score - b.score || compareIds(a.hit.id, b.hit.id));
    return { items: hits.slice(0, 12).map((h) => h.hit), more: hits.length > 12 };
  }

  function why(query: Query): object {
    const id = query.get("user") ?? "";
    const member = all.members.get(id);
    const user: Person = member ? person(member) : { id, displayName: id };
    const at = content(query);
    if (at) return { ...whyOf(all, user, at), command: `rolebook why ${id} ${at.kind}/${at.id}` };
    const site = siteNode(query.get("site") ?? "");
    const space = everyone(query).find((row) => row.user.id === id)?.reason.space;
    const best = space && all.contents.get(contentKey("space", space.id));
    return {
      ...explainSite(site, site.spaces, user, best && whyOf(all, user, best)),
      command: `rolebook why ${id} site/${site.id}`,
    };
  }

  return { tree, counts, search, why, rows, access: (query: Query) => paged(rows(query), query) };
}

function paged(list: readonly object[], query: Query): object {
  const limit = Number(query.get("limit") ?? 100);
  const from = Number(query.get("page") ?? 0);
  const items = list.slice(from, from + limit);
  return {
    ...(from + limit < list.length && { next: { page: String(from + limit) } }),
    count: items.length,
    items,
    total: list.length,
  };
}

import { ORGANIZATION, identity } from "./identity.ts";
import type { Layout } from "./layout.ts";
import { hash, mulberry32, pick } from "./random.ts";
import { structure } from "./structure.ts";
import { contentTitle, date, emoji, moment } from "./words.ts";

const COLLECTION = 51;
const SPACE = 52;

/** One space in twenty is created at this time, so that some `createdAt` are equal. */
const MOVED_IN = Date.UTC(2023, 2, 1, 9, 30);
const DAY = 86_400_000;
const VISIBILITY = ["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"] as const;
const PROVIDERS = ["github", "gitlab", "github-legacy"] as const;

/** One `collection` line per collection, then one `space` line per space. */
export function* contentLines(plan: Layout): Generator<string> {
  const ids = identity(plan.seed);
  const tree = structure(plan);
  for (let i = 0; i < plan.counts.collections; i += 1) {
    const parent = tree.collectionParent(i);
    yield JSON.stringify({
      object: "collection",
      id: ids.collection(i),
      organization: ORGANIZATION,
      title: contentTitle(mulberry32(hash(plan.seed, COLLECTION, i))),
      parent: parent === undefined ? undefined : ids.collection(parent),
      defaultLevel: tree.collectionLevel(i),
    });
  }
  for (let i = 0; i < plan.counts.spaces; i += 1) {
    const parent = tree.spaceParent(i);
    yield JSON.stringify({
      ...spaceDocument(plan, ids.space(i), i),
      parent: parent === undefined ? undefined : ids.collection(parent),
      defaultLevel: tree.spaceLevel(i),
    });
  }
}

/** A space's fields except its parent. Optional fields occur in realistic shares. */
function spaceDocument(plan: Layout, id: string, index: number): object {
  const random = mulberry32(hash(plan.seed, SPACE, index));
  const created = random() < 0.05 ? MOVED_IN : moment(random);
  const updated = created + Math.floor(random() * 300 * DAY);
  const live = random() < 0.25;
  const sync = random() < 0.1;
  const requests = Math.floor(random() * 40);
  return {
    object: "space",
    id,
    organization: ORGANIZATION,
    title: contentTitle(random),
    emoji: random() < 0.6 ? emoji(random) : undefined,
    visibility: pick(random, VISIBILITY),
    createdAt: date(created),
    updatedAt: date(updated),
    deletedAt: random() < 0.02 ? date(updated + DAY) : undefined,
    editMode: live ? "live" : "locked",
    urls: random() < 0.3 ? { published: `https://docs.example.com/${index}/` } : undefined,
    gitSync: sync
      ? {
          repoName: `docs-${index}`,
          installationProvider: pick(random, PROVIDERS),
          url: `https://git.example.com/bench/docs-${index}`,
          updatedAt: date(updated),
        }
      : undefined,
    visitorAuth: random() < 0.03 ? { backend: random() < 0.5 ? "custom" : "integration" } : undefined,
    revision: id.slice(4, 16),
    comments: Math.floor(random() * 200),
    changeRequests: requests,
    changeRequestsOpen: Math.floor(requests / 4),
    changeRequestsDraft: Math.floor(requests / 8),
  };
}

import { Agent } from "node:http";
import { ask } from "../server/capture.ts";
import type { Server } from "../server/server.ts";
import type { Entry, Question } from "./peer.ts";

interface Page {
  readonly next?: { readonly page: string };
  readonly items: readonly { readonly permission: string; readonly user: { readonly id: string } }[];
}

export interface Timed {
  /** The latency of each page, as the client sees it. */
  readonly milliseconds: readonly number[];
  /** The CPU of the server's process per page, all threads, in milliseconds. */
  readonly cpu: number;
}

/** Walks through an aggregate of a running Rolebook, over HTTP with one connection. */
export interface Walker {
  /** Returns the whole aggregate. */
  readonly all: (content: Pick<Question, "kind" | "id">) => Promise<Entry[]>;
  /** Requests the first `most` pages of `limit` members. */
  readonly time: (content: Pick<Question, "kind" | "id">, limit: number, most: number) => Promise<Timed>;
  readonly stop: () => void;
}

/** A client of `server` with that token. */
export function walker(server: Pick<Server, "url" | "sample">, token: string): Walker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  async function* pages(
    { kind, id }: Pick<Question, "kind" | "id">,
    limit: number,
  ): AsyncGenerator<{ page: Page; milliseconds: number }> {
    const url = new URL(`/v1/${kind}s/${id}/permissions/aggregate?limit=${limit}`, server.url);
    for (;;) {
      const begin = performance.now();
      const { body } = await ask(url, token, agent);
      const milliseconds = performance.now() - begin;
      const page: Page = JSON.parse(body);
      yield { page, milliseconds };
      if (page.next === undefined) return;
      url.searchParams.set("page", page.next.page);
    }
  }

  return {
    async all(content) {
      const entries: Entry[] = [];
      for await (const { page } of pages(content, 1000)) {
        for (const { permission, user } of page.items) entries.push({ user: user.id, role: permission });
      }
      return entries;
    },
    async time(content, limit, most) {
      const milliseconds: number[] = [];
      const begin = await server.sample();
      for await (const timed of pages(content, limit)) {
        milliseconds.push(timed.milliseconds);
        if (milliseconds.length === most) break;
      }
      const end = await server.sample();
      return { milliseconds, cpu: (end.processCpu - begin.processCpu) / 1000 / milliseconds.length };
    },
    stop: () => agent.destroy(),
  };
}

import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchAnswer } from "../../../wire/search.ts";
import type { Query } from "../../session/ask/client.ts";
import { useSession } from "../../session/session.ts";

export interface Found {
  readonly q: string;
  readonly answer?: SearchAnswer;
  readonly failure?: unknown;
}

/**
 * Searches for `text`. Only one request runs at a time; if the text changes meanwhile, the next request has the latest
 * text. The earlier hits stay until its answer arrives.
 */
export function useSearch(text: string, query: Query): Found {
  const { client } = useSession();
  const [found, setFound] = useState<Found>({ q: "" });
  const wanted = useRef("");
  const busy = useRef(false);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);

  wanted.current = text.trim();
  useEffect(() => {
    async function run(): Promise<void> {
      busy.current = true;
      for (let q: string | undefined; q !== wanted.current && !stop.current.signal.aborted;) {
        q = wanted.current;
        if (q === "") {
          setFound({ q });
          continue;
        }
        try {
          const answer = await client.get<SearchAnswer>("search", { ...query, q }, stop.current.signal);
          if (!stop.current.signal.aborted) setFound({ q, answer });
        } catch (failure) {
          if (!stop.current.signal.aborted) setFound({ q, failure });
        }
      }
      busy.current = false;
    }
    if (!busy.current && wanted.current !== found.q) void run();
  }, [text]);
  return found;
}

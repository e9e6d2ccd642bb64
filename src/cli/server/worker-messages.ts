/** What the processes of one server say to each other: the supervisor and its workers. */
import type { Figures } from "../../http/metrics/fellows.ts";

/** From a worker. */
export type ToSupervisor =
  /** It listens: what it serves, and the address. */
  | { readonly say: "serving"; readonly name: string; readonly address: string }
  /** It was asked for the figures of all. */
  | { readonly say: "scraped"; readonly scrape: number }
  /** Its own figures, as asked for. */
  | { readonly say: "figures"; readonly round: number; readonly figures: Figures };

/** From the supervisor. */
export type ToWorker =
  | { readonly say: "stop" }
  /** What are your figures? */
  | { readonly say: "count"; readonly round: number }
  /** The figures of all; none where some did not answer in time. */
  | { readonly say: "all"; readonly scrape: number; readonly figures: Figures[] | null };

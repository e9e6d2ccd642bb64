import { ApiError } from "../../domain/error.ts";

/** The maximum number of concurrent downloads. Each keeps a consistent read open until its client has received everything. */
const MOST = 16;
/** The maximum number of concurrent downloads per token, so that other tokens can download too. */
const MOST_FOR_ONE = 2;

export class Downloads {
  readonly #open = new Map<string, number>();
  #all = 0;

  /** Counts a download. Call the result when the download ends. Throws 503 if there are too many. */
  begin(token: string): () => void {
    const own = this.#open.get(token) ?? 0;
    if (this.#all >= MOST || own >= MOST_FOR_ONE) {
      throw new ApiError("unavailable", "Too many files are being downloaded; try again.", {
        "retry-after": "5",
      });
    }
    this.#count(token, 1);
    let over = false;
    return () => {
      if (!over) this.#count(token, -1);
      over = true;
    };
  }

  #count(token: string, by: 1 | -1): void {
    const own = (this.#open.get(token) ?? 0) + by;
    if (own === 0) this.#open.delete(token);
    else this.#open.set(token, own);
    this.#all += by;
  }
}

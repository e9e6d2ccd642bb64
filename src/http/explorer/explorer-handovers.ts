import { ApiError } from "../../domain/error.ts";

/** Files that are handed over at once. Each holds a moment of the database open for as long as its caller reads. */
const MOST = 16;
/** Files that one token takes at once, so that it leaves some for others. */
const MOST_FOR_ONE = 2;

/** Who is being handed a file. */
export class Handovers {
  readonly #open = new Map<string, number>();
  #all = 0;

  /** Counts one more for a token; the answer counts it off again. Throws 503 where there are too many. */
  begin(token: string): () => void {
    const own = this.#open.get(token) ?? 0;
    if (this.#all >= MOST || own >= MOST_FOR_ONE) {
      throw new ApiError("unavailable", "Too many files are being handed over; ask again.", {
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

/** The server answered, and said no. `message` is its own sentence. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The answer is of another revision than the one on the page. */
export class Outdated extends Error {
  override readonly name = "Outdated";

  constructor() {
    super("The directory was imported again.");
  }
}

/** The token no longer opens anything. */
export class SignedOut extends Error {
  override readonly name = "SignedOut";
}

/** Reads an error answer: `{"error": {"message"}}` as the contract has it, or whatever a proxy sent instead. */
export async function refusalOf(response: Response): Promise<Refusal> {
  try {
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null && "error" in body) {
      const { error } = body;
      if (typeof error === "object" && error !== null && "message" in error)
        return new Refusal(response.status, String(error.message));
    }
  } catch {
    // Not JSON.
  }
  return new Refusal(response.status, `The server answered with status ${response.status}.`);
}

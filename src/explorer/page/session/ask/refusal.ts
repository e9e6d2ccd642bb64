/** The server refused a request; `message` is the server's. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The answer is from a revision other than the shown one. */
export class Outdated extends Error {
  override readonly name = "Outdated";

  constructor() {
    super("The directory was imported again.");
  }
}

export class SignedOut extends Error {
  override readonly name = "SignedOut";
}

/** Reads `{"error": {"message"}}` (contract, section 8), or any other answer of a proxy. */
export async function refusalOf(response: Response): Promise<Refusal> {
  try {
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null && "error" in body) {
      const { error } = body;
      if (typeof error === "object" && error !== null && "message" in error)
        return new Refusal(response.status, String(error.message));
    }
  } catch {
    // The body is not JSON: a proxy sent it.
  }
  return new Refusal(response.status, `The server answered with status ${response.status}.`);
}

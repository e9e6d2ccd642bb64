/** What is set up for signing in (docs/sign-in.md), and how a sign-in fails. Loads nothing: every server reads it. */
import type { SignInProblem } from "../../explorer/wire/protocol.ts";
import type { Lifetimes } from "../../store/sign-ins.ts";

export interface Setup {
  /** As the provider spells it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly organization: string;
  /** `email`, or the claim that holds the member's id. */
  readonly claim: string;
  /** The `hd` that ID tokens must have. */
  readonly hostedDomain: string | undefined;
  readonly lifetimes: Lifetimes;
}

/** Whether a URL is https, or http on this machine, where nobody else can listen. */
export function isSafe({ protocol, hostname }: URL): boolean {
  if (protocol !== "http:") return protocol === "https:";
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Why a sign-in failed: what the page says, and for the log a word without anything about the person. */
export class SignInError extends Error {
  readonly problem: SignInProblem;
  readonly word: string;

  constructor(problem: SignInProblem, word: string) {
    super(`A sign-in failed: ${problem}, ${word}`);
    this.problem = problem;
    this.word = word;
  }
}

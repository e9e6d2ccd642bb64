/** The part of `oidc-provider` that tests use; the package has no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Context {
    readonly oidc?: { readonly route: string; readonly client: { readonly clientId: string } };
    readonly path: string;
    body: unknown;
    set(name: string, value: string): void;
  }

  export default class Provider {
    readonly Grant: new (of: { clientId: string; accountId: string }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
    constructor(issuer: string, configuration: object);
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    on(event: string, listener: (...values: unknown[]) => void): this;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}

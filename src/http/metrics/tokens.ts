import type { Registry } from "prom-client";
import type { Engine } from "../../store/engine/engine.ts";
import { nextExpiry } from "../../store/tokens.ts";
import { within } from "./freshness.ts";
import { gauge } from "./read.ts";

/** When the next token expires. While the database does not answer, the metric is absent. */
export function addTokens(engine: Engine, registry: Registry): void {
  gauge(registry, {
    name: "rolebook_token_next_expiry_timestamp_seconds",
    help: "When the next token expires, in seconds since 1970; without rotated tokens and those made for less than 14 days. Absent if no token expires.",
    of: "min",
    read: async () => {
      const next = await within(nextExpiry(engine));
      return next === undefined ? undefined : Date.parse(next) / 1000;
    },
  });
}

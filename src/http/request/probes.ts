/**
 * The routes for monitoring. They are answered under any load; their requests are logged only if they fail, or at level
 * debug.
 */
export const PROBES: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

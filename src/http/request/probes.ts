/** Routes for monitoring. They are answered under any load, and logged only on failure or at level debug. */
export const PROBES: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

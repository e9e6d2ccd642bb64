/** Routes that monitor the server. They are answered under any load, and logged only on failure or at debug. */
export const PROBES: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

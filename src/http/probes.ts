/** Routes by which the server is watched: answered whatever the load, and logged only where one fails or at debug. */
export const PROBES: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

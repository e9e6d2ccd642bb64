/** What the load generator is told to do. */
export interface Order {
  /** `http://host:port` of the server. */
  readonly url: string;
  /** File of request paths, one a line, taken in order. */
  readonly paths: string;
  /** The line to begin at. */
  readonly from: number;
  /** Begin again after the last path; otherwise no path is asked for twice and the window ends with them. */
  readonly repeat: boolean;
  readonly token: string;
  readonly connections: number;
  /** Seconds of load before the measured window, and of the window itself. */
  readonly warmSeconds: number;
  readonly seconds: number;
}

/** One measured window. */
export interface Outcome {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Of the responses, heads included. */
  readonly bytes: number;
  /** From sending a request to the last byte of its response, milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Of the load generator's own event loop: near 1 it may be the bottleneck. */
  readonly utilization: number;
  /** Whether the window ended early because there were no more paths. */
  readonly exhausted: boolean;
}

/** What the load generator says: `begin` and `end` frame the window; load goes on until it is told to stop. */
export type Report =
  | { readonly type: "begin" }
  | { readonly type: "end"; readonly outcome: Outcome }
  | { readonly type: "stopped"; readonly next: number }
  | { readonly type: "failed"; readonly message: string };

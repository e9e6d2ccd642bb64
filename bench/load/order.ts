/** An order for the load generator. */
export interface Order {
  /** `http://host:port` of the server. */
  readonly url: string;
  /** File of request paths, one per line, in order. */
  readonly paths: string;
  /** The line to begin at. */
  readonly from: number;
  /** Whether to begin again after the last path. Otherwise no path is requested twice, and the window ends with the file. */
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
  /** Whether the window ended early because there were no more paths. */
  readonly exhausted: boolean;
}

/** Messages of the load generator: `begin` and `end` frame the window; load continues until it must stop. */
export type Report =
  | { readonly type: "begin" }
  | { readonly type: "end"; readonly outcome: Outcome }
  | { readonly type: "stopped"; readonly next: number }
  | { readonly type: "failed"; readonly message: string };

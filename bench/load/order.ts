/** An order for the load generator. */
export interface Order {
  /** The URL of the server, as `http://host:port`. */
  readonly url: string;
  /** Path of a file with one request path per line. */
  readonly paths: string;
  /** The line to begin with, from 0. */
  readonly from: number;
  /**
   * Whether to begin again after the last path. Otherwise no path is requested twice, and the measurement ends with the
   * file.
   */
  readonly repeat: boolean;
  readonly token: string;
  readonly connections: number;
  /** The seconds of load before the measurement, and of the measurement. */
  readonly warmSeconds: number;
  readonly seconds: number;
}

/** The result of one measurement. */
export interface Outcome {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** The size of all responses, including headers. */
  readonly bytes: number;
  /** The times from sending a request to the last byte of its response, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Whether the measurement ended early because no paths were left. */
  readonly exhausted: boolean;
}

/**
 * Messages of the load generator. `begin` and `end` mark the measurement; load continues until the generator is told to
 * stop.
 */
export type Report =
  | { readonly type: "begin" }
  | { readonly type: "end"; readonly outcome: Outcome }
  | { readonly type: "stopped"; readonly next: number }
  | { readonly type: "failed"; readonly message: string };

/** Assigns each frame of a call stack to a layer of a request. */

/** In the order in which a request passes through them. */
export const LAYERS = [
  "receiving and parsing",
  "routing",
  "admission",
  "authorization",
  "reading",
  "deciding",
  "writing the body",
  "page cache and validators",
  "metrics and log",
  "sending",
  "promises",
  "allocating",
  "collection",
  "compiling",
  "event loop and the rest",
] as const;
export type Layer = (typeof LAYERS)[number];

/**
 * Patterns for symbols of native profiles and for script URLs. The innermost frame that matches decides the layer of a
 * stack, so a system call belongs to its caller.
 */
const SIGNS: readonly (readonly [sign: RegExp, layer: Layer])[] = [
  [
    /v8::internal::(Heap::|Scaveng|MarkCompact|Concurrent|Sweeper|IncrementalMarking|ArrayBufferSweeper|MinorMarkSweep)|\(garbage collector\)/,
    "collection",
  ],
  [
    /v8::internal::(Compiler::|Optimiz|maglev::|compiler::|baseline::|interpreter::|Deoptimiz|TieringManager)/,
    "compiling",
  ],
  [
    /node::sqlite|sqlite3|\/store\/(engine|directory|sets|schema|cache)\/|\/store\/(reading|store)\.js/,
    "reading",
  ],
  [/\/store\/listings\/(direct|member-teams)\.js/, "reading"],
  [/\/program\/sets\/|\/domain\/(ladder|several-ladders)\.js|\/store\/listings\//, "deciding"],
  [/\/operations\/authorize\.js/, "authorization"],
  [
    /\/operations\/(operations|send)\.js|\/domain\/(document|page|role)\.js|\/http\/listings\/body\.js|'?(render|writePage) .*\/http\//,
    "writing the body",
  ],
  [
    /\/http\/(request\/request-(log|events)|metrics)|\/cli\/server\/log\.js|prom-client|\/pino\/|sonic-boom|last-used/,
    "metrics and log",
  ],
  [/\/http\/listings\/(response-cache|validators|listing)\.js/, "page cache and validators"],
  [
    /\/http\/listings\/(list-request|listing-routes|page-identifier|when)\.js|\/http\/request\/(query|target)\.js|\/operations\/parameters\.js/,
    "receiving and parsing",
  ],
  [/\/program\/http\/|\/store\/revisions\//, "admission"],
  [
    /fastify\/lib\/reply|node:_http_outgoing|node:internal\/stream_base_commons|StreamBase::(JSMethod|Write)|writeHead/,
    "sending",
  ],
  [/node_modules\/(fastify|find-my-way|fast-querystring|avvio)/, "routing"],
  [/malloc|_int_free|unlink_chunk|cfree/, "allocating"],
  [/tcp_sendmsg/, "sending"],
  [
    /tcp_recvmsg|sock_poll|llhttp|http_parser|_http_common|_http_incoming|_http_server|uv__read|uv__stream_io/,
    "receiving and parsing",
  ],
  [/node:(net|internal\/streams)/, "sending"],
  [/RunMicrotasks|processTicksAndRejections|MicrotaskQueue|AsyncFunction|Promise/, "promises"],
];

const known = new Map<string, Layer | undefined>();

/** The layer of a frame; `undefined` for code that any layer may call. */
function layerOfFrame(frame: string): Layer | undefined {
  if (!known.has(frame)) known.set(frame, SIGNS.find(([sign]) => sign.test(frame))?.[1]);
  return known.get(frame);
}

/** The layer of a stack, innermost frame first. */
export function layerOf(stack: Iterable<string>): Layer {
  for (const frame of stack) {
    const layer = layerOfFrame(frame);
    if (layer !== undefined) return layer;
  }
  return "event loop and the rest";
}

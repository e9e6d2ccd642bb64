/** Assigns each frame of a call stack to a layer of a request. */

/** In the order in which a request passes through them. */
export const LAYERS = [
  "receiving and routing",
  "admission",
  "reading from the database",
  "deciding",
  "documents and body",
  "log, metrics, cache",
  "sending",
  "garbage collection",
  "the rest",
] as const;
export type Layer = (typeof LAYERS)[number];

/** Patterns for frames. The innermost frame that matches decides the layer of a stack, so a system call is its caller's. */
const SIGNS: readonly (readonly [sign: RegExp, layer: Layer])[] = [
  [/\(garbage collector\)/, "garbage collection"],
  [
    /node:sqlite|\/store\/(engine|directory|sets|schema)\/|\/store\/(reading|cache)\.js/,
    "reading from the database",
  ],
  [
    /\/store\/memory\/document|\/operations\/operations\.js|\/domain\/(document|page|role)\.js/,
    "documents and body",
  ],
  [/\/store\/(listings|memory)\/|\/program\/(sets|domain)\//, "deciding"],
  [
    /\/http\/(metrics|response-cache|request-times)|\/cli\/server\/|prom-client|\/pino\/|sonic-boom/,
    "log, metrics, cache",
  ],
  [/\/http\/(query|page-identifier|listings)\.js|\/operations\/parameters\.js/, "receiving and routing"],
  [/\/operations\/authorize\.js|\/program\/http\/|\/store\/revisions\//, "admission"],
  [
    /fastify\/lib\/reply|node:_http_outgoing|node:internal\/stream_base_commons|writeHead|node:net/,
    "sending",
  ],
  [
    /node_modules\/|node:_http_(common|incoming|server)|node:internal\/(streams|http)/,
    "receiving and routing",
  ],
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
  return "the rest";
}

import { describe } from "vitest";
import { startBalancer } from "../postgres/balancer.ts";
import { exerciseBehindProxy } from "../postgres/behind-proxy.ts";
import { realProxies, startRealProxy } from "../postgres/real-proxy.ts";

/** With nginx and HAProxy where the system has them; with a small one of ours where it has neither. */

const proxies = realProxies();

for (const proxy of proxies) {
  describe(`two servers on one database behind ${proxy.name}`, () =>
    exerciseBehindProxy((ports) => startRealProxy(proxy, ports)));
}
if (proxies.length === 0) {
  describe("two servers on one database behind a proxy", () => exerciseBehindProxy(startBalancer));
}

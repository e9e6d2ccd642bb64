import { describe } from "vitest";
import { startBalancer } from "../postgres/network/balancer.ts";
import { exerciseBehindProxy } from "../postgres/network/behind-proxy.ts";
import { realProxies, startRealProxy } from "../postgres/network/real-proxy.ts";

/**
 * Two servers on one database behind nginx and HAProxy, if these are installed, else behind a small proxy of the tests.
 */

const proxies = realProxies();

for (const proxy of proxies) {
  describe(`two servers on one database behind ${proxy.name}`, () =>
    exerciseBehindProxy((ports) => startRealProxy(proxy, ports)));
}
if (proxies.length === 0) {
  describe("two servers on one database behind a proxy", () => exerciseBehindProxy(startBalancer));
}

import { describe } from "vitest";
import { startBalancer } from "../../postgres/network/balancer.ts";
import { exerciseBehindProxy } from "../../postgres/network/behind-proxy.ts";

describe("two servers on one database behind a proxy", () => exerciseBehindProxy(startBalancer));

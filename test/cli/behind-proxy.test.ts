import { describe } from "vitest";
import { startBalancer } from "../postgres/balancer.ts";
import { exerciseBehindProxy } from "../postgres/behind-proxy.ts";

describe("two servers on one database behind a proxy", () => exerciseBehindProxy(startBalancer));

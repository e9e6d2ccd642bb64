import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { until } from "../../setup/until.ts";
import type { Balancer } from "./balancer.ts";
import { freePort } from "../server/port.ts";

/** A proxy program that is installed on this machine. */
interface Proxy {
  readonly name: string;
  readonly file: string;
  /** The configuration file: the proxy listens on `port` for servers on `ports`, and writes only to `folder`. */
  configuration(port: number, ports: readonly number[], folder: string): string;
  arguments(configuration: string, folder: string): string[];
}

/** Configured as docs/scale.md shows: a request that a stopping server refuses goes to the next server. */
const NGINX: Omit<Proxy, "file"> = {
  name: "nginx",
  configuration: (port, ports, folder) => `
    daemon off;
    worker_processes 1;
    pid ${folder}/pid;
    error_log stderr crit;
    events {}
    http {
      access_log off;
      ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((each) => `${each}_temp_path ${folder}/${each};`).join("\n")}
      upstream rolebook {
        ${ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join("\n")}
        keepalive 32;
      }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://rolebook;
          proxy_http_version 1.1;
          proxy_set_header Host $host;
          proxy_set_header Connection "";
          proxy_next_upstream error timeout http_503;
        }
      }
    }`,
  arguments: (configuration, folder) => ["-p", folder, "-c", configuration, "-e", "stderr"],
};

const HAPROXY: Omit<Proxy, "file"> = {
  name: "HAProxy",
  configuration: (port, ports) => `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend clients
  bind 127.0.0.1:${port}
  default_backend rolebook
backend rolebook
  balance roundrobin
  retries 3
  retry-on conn-failure empty-response 503
  option redispatch 1
  option httpchk GET /readyz
  default-server check inter 200ms fall 1 rise 1
${ports.map((each) => `  server s${each} 127.0.0.1:${each}`).join("\n")}
`,
  arguments: (configuration) => ["-db", "-f", configuration],
};

/** The proxies that are installed on this machine. */
export function realProxies(): Proxy[] {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return [NGINX, HAPROXY].flatMap((proxy) => {
    const file = folders.map((folder) => join(folder, proxy.name.toLowerCase())).find(isProgram);
    return file === undefined ? [] : [{ ...proxy, file }];
  });
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a proxy for servers on these ports. */
export async function startRealProxy(proxy: Proxy, ports: readonly number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-proxy-"));
  const configuration = join(folder, "configuration");
  const port = await freePort();
  writeFileSync(configuration, proxy.configuration(port, ports, folder));
  const child = spawn(proxy.file, proxy.arguments(configuration, folder), { stdio: "ignore" });
  const ended = once(child, "exit");
  await until(`${proxy.file} listens`, () => {
    if (child.exitCode !== null) throw new Error(`${proxy.file} did not start`);
    return takes(port);
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function takes(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

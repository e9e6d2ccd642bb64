/** nginx and HAProxy, configured word for word as docs/scale.md says, but for addresses and the names of files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { textOf } from "../../examples/acme.ts";
import { until } from "../../setup/until.ts";
import { selfSigned } from "../server/certificate.ts";
import { freePort } from "../server/port.ts";
import type { Balancer } from "./balancer.ts";

/** What the documents configure. Under a path, the proxy serves the servers at `/rolebook/`. */
export type Form = "at the root" | "under a path";

/** A proxy program. */
export interface Proxy {
  readonly name: string;
  /** The program; `undefined` if it is not installed on this machine. */
  readonly file: string | undefined;
  /** What the documents say, and around it what they leave to the package of the proxy. It writes only to `folder`. */
  configuration(form: Form, folder: string): string;
  arguments(configuration: string, folder: string): string[];
}

const SCALE = textOf("docs/scale.md");

/** The blocks of docs/scale.md in a language, in their order. */
function blocks(language: string): string[] {
  return [...SCALE.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(
    ([, block = ""]) => block,
  );
}

/** Throws unless the text has what is replaced. */
function replaced(text: string, from: string | RegExp, to: string): string {
  if (text.search(from) < 0) throw new Error(`docs/scale.md has no ${String(from)}`);
  return text.replace(from, to);
}

const NGINX: Omit<Proxy, "file"> = {
  name: "nginx",
  configuration(form, folder) {
    const [whole = "", map = "", location = ""] = blocks("nginx");
    const first = /^ {2}location \/ \{\n.*proxy_pass .*\n/m;
    const block =
      form === "at the root" ? whole : map + replaced(whole, first, location.replaceAll("$", "$$$$"));
    return `
      daemon off;
      worker_processes 1;
      ${process.getuid?.() === 0 ? "user root;" : ""}
      pid ${folder}/pid;
      error_log stderr crit;
      events {}
      http {
        access_log off;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((each) => `${each}_temp_path ${folder}/${each};`).join("\n")}
        ${replaced(block, "listen 443 ssl", "listen 127.0.0.1:PORT ssl")}
      }`;
  },
  arguments: (configuration, folder) => ["-p", folder, "-c", configuration, "-e", "stderr"],
};

const HAPROXY: Omit<Proxy, "file"> = {
  name: "HAProxy",
  configuration(form) {
    const [whole = "", use = "", replace = ""] = blocks("haproxy");
    const block =
      form === "at the root"
        ? whole
        : replaced(
            replaced(whole, /^ {2}default_backend rolebook\n/m, use),
            /^backend rolebook\n/m,
            `backend rolebook\n${replace.replaceAll("$", "$$$$")}`,
          );
    return `
defaults
  mode http
  timeout connect 5s
  timeout client 50s
  timeout server 50s
${replaced(block, "bind :443", "bind 127.0.0.1:PORT")}`;
  },
  arguments: (configuration) => ["-db", "-f", configuration],
};

/** The proxies of docs/scale.md. */
export const PROXIES: readonly Proxy[] = [NGINX, HAPROXY].map((proxy) => {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return { ...proxy, file: folders.map((folder) => join(folder, proxy.name.toLowerCase())).find(isProgram) };
});

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The configuration of a proxy on `port` for two servers, with the certificate's files in `folder`. */
export function configured(
  proxy: Proxy,
  form: Form,
  { folder, port, ports }: { folder: string; port: number; ports: readonly number[] },
): string {
  const [one, two] = ports;
  return [
    ["PORT", String(port)],
    ["10.0.0.1:3000", `127.0.0.1:${one}`],
    ["10.0.0.2:3000", `127.0.0.1:${two}`],
    ["/etc/ssl/", `${folder}/`],
  ].reduce(
    (text, [from = "", to = ""]) => replaced(text, from, to).replaceAll(from, to),
    proxy.configuration(form, folder),
  );
}

/** Starts a proxy with TLS for two servers on these ports. */
export async function startRealProxy(
  proxy: Proxy,
  ports: readonly number[],
  form: Form = "at the root",
): Promise<Balancer> {
  if (proxy.file === undefined) throw new Error(`${proxy.name} is not installed`);
  const folder = mkdtempSync(join(tmpdir(), "rolebook-proxy-"));
  const port = await freePort();
  const { certificate, key } = selfSigned(["127.0.0.1"]);
  writeFileSync(join(folder, "rolebook.pem"), certificate);
  writeFileSync(join(folder, "rolebook.key"), key);
  writeFileSync(join(folder, "rolebook-and-key.pem"), certificate + key);
  const configuration = join(folder, "configuration");
  writeFileSync(configuration, configured(proxy, form, { folder, port, ports }));
  const child = spawn(proxy.file, proxy.arguments(configuration, folder), {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (data: Buffer) => (said += data.toString()));
  const ended = once(child, "exit");
  await until(`${proxy.file} listens`, () => {
    if (child.exitCode !== null) throw new Error(`${proxy.file} did not start: ${said}`);
    return takes(port);
  });
  return {
    port,
    certificate,
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

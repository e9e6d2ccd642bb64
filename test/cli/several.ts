/** Runs commands one after the other in one process: `[line, …]` on standard input, what each did on standard output. */
import { text } from "node:stream/consumers";
import { type Ran, rolebook } from "../command.ts";

const lines: string[][] = JSON.parse(await text(process.stdin));
const settings = Object.entries(process.env).filter(([name]) => name.startsWith("ROLEBOOK_"));
const environment = Object.fromEntries(settings.map(([name, value = ""]) => [name, value]));
const ran: Ran[] = [];
for (const line of lines) ran.push(await rolebook(line, environment));
process.stdout.write(JSON.stringify(ran));

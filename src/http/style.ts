import { hash } from "node:crypto";
import { Markup } from "../domain/markup.ts";

const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fff, #141517);
  --wash: light-dark(#f7f7f4, #1b1c1f);
  --ink: light-dark(#191a1c, #ebebe8);
  --ink2: light-dark(#53575d, #b3b6bb);
  --line: light-dark(#e3e3de, #2b2d31);
  --link: light-dark(#18417c, #afdbf7);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 24px; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, sans-serif; text-size-adjust: 100%; overflow-wrap: break-word;
}
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 3px; }
a:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code { font: 0.9em/1.5 var(--mono); overflow-wrap: anywhere; }
h1, h2, h3, h4, p, dl, ul, figure { margin: 0; }
h1 { font-size: 32px; line-height: 1.2; letter-spacing: -0.02em; }
h2 { font-size: 24px; line-height: 1.25; letter-spacing: -0.015em; }
h3 { font-size: 18px; line-height: 1.35; }
h4 { margin-top: 24px; font-size: 13px; font-weight: 600; color: var(--ink2); }
p + p { margin-top: 12px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 16px; top: 8px; z-index: 1; background: var(--paper); padding: 4px 8px; }

nav { padding: 20px 20px 14px; font-size: 13.5px; line-height: 1.4; border-bottom: 1px solid var(--line); }
nav .name { font-weight: 650; font-size: 15px; }
nav .name a { color: inherit; text-decoration: none; }
nav small { color: var(--ink2); font-weight: 400; }
nav h2 { display: inline-block; margin: 6px 16px 0 0; font-size: 13.5px; letter-spacing: 0; font-weight: 500; }
nav h2 a { display: block; padding: 4px 0; color: inherit; }
nav ul { display: none; padding: 0; list-style: none; }
nav li a { display: block; padding: 4px 0; color: var(--ink2); text-decoration: none; }
nav li a:hover { color: var(--ink); text-decoration: underline; }

main { padding: 32px 20px 96px; outline: none; }
header { max-width: 680px; }
header p { margin-top: 12px; }
header .lead { margin-top: 8px; font-size: 18px; color: var(--ink2); }
.base { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; border-top: 1px solid var(--line); padding-top: 16px; margin-top: 24px; }
.base span { color: var(--ink2); }
section { margin-top: 72px; }
section > .about { margin-top: 4px; color: var(--ink2); }
article { margin-top: 24px; padding-top: 24px; border-top: 1px solid var(--line); }
.plain article { max-width: 820px; }
.says > * + * { margin-top: 12px; }
.says > h4 { margin-top: 20px; }
.says > h4 + dl { margin-top: 0; }
.route { color: var(--ink2); line-height: 1.6; }
.route b { font: 600 12px/1 var(--mono); letter-spacing: 0.04em; padding: 3px 6px; border: 1px solid var(--line); border-radius: 4px; }
.route code { color: var(--ink); overflow-wrap: break-word; }
.route i { font-style: normal; color: var(--ink2); }
.also { font-size: 13.5px; color: var(--ink2); }

dl > div { padding: 10px 0; border-top: 1px solid var(--line); }
dl > div:first-child { border-top: 0; }
article > h3 + dl, article > h3 + p { margin-top: 8px; }
article > p + dl { margin-top: 8px; }
dl + p { margin-top: 12px; }
dt code { font-weight: 600; }
dt span code { font-weight: 400; }
dt span, dt small { color: var(--ink2); font-size: 13px; }
dt span { margin-left: 8px; }
dd { margin: 2px 0 0; color: var(--ink2); }
q { display: block; margin-top: 2px; font: 13px/1.5 var(--mono); quotes: none; color: var(--ink); overflow-wrap: anywhere; }

.shows { margin-top: 20px; min-width: 0; }
figure { background: var(--wash); border: 1px solid var(--line); border-radius: 8px; }
figure + figure { margin-top: 12px; }
figcaption { padding: 8px 14px 0; font-size: 12px; color: var(--ink2); }
pre { margin: 0; padding: 6px 14px 12px; max-height: 420px; overflow: auto; font-size: 13px; color: var(--ink2); }
pre code { overflow-wrap: normal; }
pre.wrapped { white-space: pre-wrap; }
pre.wrapped code { overflow-wrap: anywhere; }
pre b { font-weight: 400; color: var(--ink); }

@media (min-width: 900px) {
  body { display: grid; grid-template-columns: 264px minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 24px 20px; border-bottom: 0; border-right: 1px solid var(--line); }
  nav h2 { display: block; margin: 20px 0 0; font-size: 13px; font-weight: 600; }
  nav h2 a { text-decoration: none; }
  nav ul { display: block; }
  main { padding: 48px 48px 160px; max-width: 1240px; }
}
@media (min-width: 1180px) {
  article:has(.shows) { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 40px; align-items: start; }
  .shows { margin-top: 0; position: sticky; top: 24px; }
  .plain dl > div { display: grid; grid-template-columns: 300px 1fr; gap: 24px; }
  .plain .codes > div { grid-template-columns: 56px 1fr; }
  .plain dt span { display: block; margin-left: 0; }
  .plain dd { margin-top: 0; }
}
@media print { nav { display: none; } pre { max-height: none; } }
`;

/** Nothing else may stand between the tags: the Content-Security-Policy has the hash of exactly this text. */
export const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);

/** The headers of a page with {@link STYLE_ELEMENT}, and without script, image or further request. */
export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
};

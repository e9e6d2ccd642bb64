/** What the settings say about signing in (docs/sign-in.md), checked together. */
import { readFileSync } from "node:fs";
import { UsageError } from "../../domain/error.ts";
import { type Setup, isSafe } from "../../http/sign-in/setup.ts";
import { SETTINGS, type Settings } from "../settings.ts";

/** The issuer of accounts of anybody, of which a hosted domain selects those of a company. */
const GOOGLE = /^https:\/\/accounts\.google\.com\/?$/;

/**
 * What is set up for signing in at a public URL; `undefined` without an issuer. Throws a UsageError if settings are
 * missing or do not fit together.
 */
export function signInSetup(settings: Settings, publicUrl: string): Setup | undefined {
  const { oidcIssuer: issuer, oidcHostedDomain: hostedDomain, oidcClaim: claim } = settings;
  const { oidcClientId: clientId, oidcOrganization: organization } = settings;
  if (issuer === undefined) {
    const given = [
      [clientId, SETTINGS.oidcClientId],
      [organization, SETTINGS.oidcOrganization],
      [settings.oidcClientSecret, SETTINGS.oidcClientSecret],
      [settings.oidcClientSecretFile, SETTINGS.oidcClientSecretFile],
      [hostedDomain, SETTINGS.oidcHostedDomain],
    ] as const;
    const lone = given.find(([value]) => value !== undefined);
    if (lone !== undefined) throw needs(lone[1].name, SETTINGS.oidcIssuer.name);
    return undefined;
  }
  if (clientId === undefined) throw needs(SETTINGS.oidcIssuer.name, SETTINGS.oidcClientId.name);
  if (organization === undefined) throw needs(SETTINGS.oidcIssuer.name, SETTINGS.oidcOrganization.name);
  if (GOOGLE.test(issuer) && hostedDomain === undefined) {
    throw needs(`${SETTINGS.oidcIssuer.name}=${issuer}`, SETTINGS.oidcHostedDomain.name);
  }
  if (!isSafe(new URL(publicUrl))) {
    throw new UsageError(
      `${SETTINGS.publicUrl.name} is ${JSON.stringify(publicUrl)}; accepted where people sign in: an https address, or http on this machine.`,
    );
  }
  const { sessionIdle: idle, sessionLongest: longest } = settings;
  const clientSecret = secretOf(settings);
  return { issuer, clientId, clientSecret, organization, claim, hostedDomain, lifetimes: { idle, longest } };
}

/** A warning if people sign in through a proxy that we do not know: an https address is always that of a proxy. */
export function signInWarnings({ oidcIssuer, publicUrl, trustedProxies }: Settings): string[] {
  if (oidcIssuer === undefined || publicUrl?.startsWith("https:") !== true || trustedProxies.length > 0)
    return [];
  return [
    `${SETTINGS.trustedProxies.name} is not set, so everybody signs in from the proxy's address, and one address may do so twenty times a minute; see docs/sign-in.md.`,
  ];
}

function secretOf({ oidcClientSecret: secret, oidcClientSecretFile: file }: Settings): string {
  const [given, named] = [SETTINGS.oidcClientSecret.name, SETTINGS.oidcClientSecretFile.name];
  if (secret !== undefined && file !== undefined) {
    throw new UsageError(`${given} and ${named} are both set; accepted: one of them.`);
  }
  if (secret !== undefined) return secret;
  if (file === undefined) throw needs(SETTINGS.oidcIssuer.name, `${given} or ${named}`);
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    throw new UsageError(`${named} is ${JSON.stringify(file)}, which cannot be read: ${reason}.`, { cause });
  }
  if (text === "") throw new UsageError(`${named} is ${JSON.stringify(file)}, which is empty.`);
  return text;
}

function needs(name: string, missing: string): UsageError {
  return new UsageError(`${name} is set without ${missing}; signing in needs both.`);
}

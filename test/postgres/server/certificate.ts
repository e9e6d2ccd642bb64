import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

/** A certificate and its private key, both as PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

// An ASN.1 value in DER: a tag, the length of the content, and the content.
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content);
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const octets = (content: Buffer): Buffer => der(0x04, content);
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const time = (at: Date): Buffer =>
  der(
    0x17,
    Buffer.from(
      at
        .toISOString()
        .slice(2)
        .replaceAll(/[-:T]|\.\d+/g, ""),
      "ascii",
    ),
  );

// Encoded object identifiers.
const commonName = identifier("550403");
const subjectAltName = identifier("551d11");
const ecdsaWithSha256 = identifier("2a8648ce3d040302");

/** One name in subjectAltName: tag 7 is an IP address, tag 2 a DNS name. */
function alternative(host: string): Buffer {
  return isIPv4(host)
    ? der(0x87, Buffer.from(host.split(".").map(Number)))
    : der(0x82, Buffer.from(host, "ascii"));
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/**
 * Makes a self-signed certificate (X.509 version 3, P-256, valid from yesterday to tomorrow) for `hosts`: DNS names or
 * IPv4 addresses. Clients trust it if it is their root certificate.
 */
export function selfSigned(hosts: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(
    der(0x31, sequence(commonName, der(0x0c, Buffer.from(hosts[0] ?? "localhost", "utf8")))),
  );
  const day = 24 * 3_600_000;
  const algorithm = sequence(ecdsaWithSha256);
  // The leading byte 1 keeps the serial number positive.
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(subjectAltName, octets(sequence(...hosts.map(alternative)))))),
  );
  const signed = sequence(body, algorithm, bits(sign("sha256", body, privateKey)));
  return {
    certificate: pem("CERTIFICATE", signed),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

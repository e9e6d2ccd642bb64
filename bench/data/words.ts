import { type Random, pick } from "./random.ts";

/** A name as it is shown, and as it is written in an e-mail address. */
type Name = readonly [shown: string, plain: string];

const plain = (names: string): Name[] => names.split(" ").map((name) => [name, name.toLowerCase()]);

const GIVEN: readonly Name[] = [
  ...plain("James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard"),
  ...plain("Susan Joseph Jessica Thomas Sarah Karen Nancy Lisa Daniel Matthew Ashley Anna Lucas Emma Noah"),
  ...plain("Olivia Liam Amelia Priya Arjun Aisha Omar Fatima Yuki Haruto Mei Wei Sofia Mateo Camila Diego"),
  ...plain("Ingrid Lars Sven Astrid Femke Daan Giulia Marco Chiara Luca Ifeoma Chinedu Amara Kwame Zanele"),
  ["Zoë", "zoe"],
  ["José", "jose"],
  ["Łukasz", "lukasz"],
  ["Émile", "emile"],
  ["Jürgen", "juergen"],
  ["Søren", "soren"],
  ["Ayşe", "ayse"],
  ["Мария", "maria"],
  ["민준", "minjun"],
];

const FAMILY: readonly Name[] = [
  ...plain("Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez"),
  ...plain("Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Thompson White Harris Clark Lewis Walker"),
  ...plain("Hall Allen Young King Wright Scott Torres Hill Flores Green Adams Nelson Baker Rivera Campbell"),
  ...plain("Mitchell Carter Roberts Patel Sharma Singh Khan Ali Tanaka Sato Suzuki Chen Wang Zhang Rossi"),
  ...plain("Bianchi Dubois Moreau Laurent Jansen Visser Larsen Hansen Okafor Mensah Dlamini Silva Santos"),
  ["O'Connor", "oconnor"],
  ["Müller", "mueller"],
  ["Núñez", "nunez"],
  ["Kowalski", "kowalski"],
  ["Žižek", "zizek"],
  ["Groß", "gross"],
  ["Иванова", "ivanova"],
  ["김", "kim"],
];

const DOMAINS = ["example.com", "mail.example.com", "example.org", "example.net", "contractors.example.net"];

const AREA = [
  "Platform",
  "Payments",
  "Search",
  "Mobile",
  "Data",
  "Security",
  "Growth",
  "Developer",
  "Customer",
  "Infrastructure",
  "Identity",
  "Billing",
  "Analytics",
  "Partner",
  "Research",
  "Produit",
  "Vertrieb",
];
const FUNCTION = [
  "Engineering",
  "Design",
  "Operations",
  "Support",
  "Writers",
  "Reviewers",
  "Leads",
  "Équipe",
  "Straße",
];
const SUBJECT = [
  "Handbook",
  "API Reference",
  "Runbooks",
  "Release Notes",
  "Onboarding",
  "Architecture",
  "FAQ",
  "Guides",
  "Policies",
  "Tutorials",
  "Roadmap",
  "Incident Reviews",
];
const EMOJI = ["1f4d8", "1f680", "1f512", "1f4c8", "1f9ea", "2728"];

/** A display name and an e-mail address; `index` makes the address unique. */
export function person(random: Random, index: number): { displayName: string; email: string } {
  const given = pick(random, GIVEN);
  const family = pick(random, FAMILY);
  return {
    displayName: `${given[0]} ${family[0]}`,
    email: `${given[1]}.${family[1]}${index}@${pick(random, DOMAINS)}`,
  };
}

/** The title of a team. Many titles share words; `index` makes each title unique. */
export const teamTitle = (random: Random, index: number): string =>
  `${pick(random, AREA)} ${pick(random, FUNCTION)} ${index}`;

export const contentTitle = (random: Random): string => `${pick(random, AREA)} ${pick(random, SUBJECT)}`;

/** An emoji as the API writes it: its code point in hexadecimal. */
export const emoji = (random: Random): string => pick(random, EMOJI);

const FIRST_DAY = Date.UTC(2019, 0, 1);
const SPAN = Date.UTC(2025, 9, 1) - FIRST_DAY;

/** A time between 2019 and October 2025, in milliseconds since 1970. */
export const moment = (random: Random): number => FIRST_DAY + Math.floor(random() * SPAN);

/** Formats milliseconds since 1970 as RFC 3339 in UTC. */
export const date = (milliseconds: number): string => new Date(milliseconds).toISOString();

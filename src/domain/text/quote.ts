const SHOWN = 100;

/** A value for an error message: quoted, and cut after 100 characters. */
export function quote(value: string): string {
  const characters = [...value];
  return JSON.stringify(characters.length <= SHOWN ? value : `${characters.slice(0, SHOWN).join("")}…`);
}

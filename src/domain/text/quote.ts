const SHOWN = 100;

/** A value as an error message shows it: quoted, and cut at 100 characters. */
export function quote(value: string): string {
  const characters = [...value];
  return JSON.stringify(characters.length <= SHOWN ? value : `${characters.slice(0, SHOWN).join("")}…`);
}

import { nfc } from "../../../domain/text.ts";
import { Texts } from "./texts.ts";

const SEVERAL = -1;

/** Finds records by title, path or id, compared in NFC. `several` means that a text names more than one. */
export class References {
  readonly #texts = new Texts();
  readonly #numbers: number[] = [];

  add(reference: string, number: number): void {
    const text = this.#texts.add(nfc(reference));
    this.#numbers[text] = (this.#numbers[text] ?? number) === number ? number : SEVERAL;
  }

  find(reference: string): number | "several" | undefined {
    const text = this.#texts.find(nfc(reference));
    const number = text === undefined ? undefined : this.#numbers[text];
    return number === SEVERAL ? "several" : number;
  }
}

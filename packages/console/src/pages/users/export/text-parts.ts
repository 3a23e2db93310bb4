/** So much text is soon written, and the browser has few parts to put together. */
const partCharacters = 4_000_000;

/**
 * Collects the text of a long file. Every few megabytes become a `Blob`, which the browser keeps outside the page's memory
 * and on disk if it must.
 */
export class TextParts {
  readonly #parts: Blob[] = [];
  #texts: string[] = [];
  #characters = 0;

  add(text: string): void {
    this.#texts.push(text);
    this.#characters += text.length;
    if (this.#characters >= partCharacters) this.#close();
  }

  end(): readonly Blob[] {
    this.#close();
    return this.#parts;
  }

  #close(): void {
    if (this.#characters > 0) this.#parts.push(new Blob(this.#texts));
    this.#texts = [];
    this.#characters = 0;
  }
}

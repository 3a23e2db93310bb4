/** A power of two, several times the number of answers that are kept. */
const slots = 131_072;

/**
 * Remembers which keys were asked for lately, in half a megabyte whatever their number. A key that shares its slot with
 * a newer one is forgotten.
 */
export class AskedBefore {
  readonly #hashes = new Uint32Array(slots);

  /** Returns whether the key was noted before and is not forgotten, and notes it. */
  note(key: string): boolean {
    const hash = hashOf(key);
    const slot = hash & (slots - 1);
    if (this.#hashes[slot] === hash) return true;
    this.#hashes[slot] = hash;
    return false;
  }
}

/** FNV-1a over UTF-16 code units, never 0, which marks an empty slot. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // FNV's low bits choose the slot; the high ones take part in them.
  hash = (hash ^ (hash >>> 15)) >>> 0;
  return hash === 0 ? 1 : hash;
}

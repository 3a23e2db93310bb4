/** Both are powers of two. Together they make several times as many slots as answers are kept. */
const buckets = 32_768;
const slotsOfBucket = 4;

/**
 * Remembers which keys were recently asked for, in half a megabyte regardless of their number. A bucket forgets its
 * oldest key. It has several slots because keys that are requested in turn would keep evicting each other from a single
 * slot.
 */
export class RecentKeys {
  readonly #hashes = new Uint32Array(buckets * slotsOfBucket);

  /** Notes the key. Returns whether it had been noted before and was not forgotten. */
  note(key: string): boolean {
    const hashes = this.#hashes;
    const hash = hashOf(key);
    const first = (hash & (buckets - 1)) * slotsOfBucket;
    const end = first + slotsOfBucket;
    for (let slot = first; slot < end; slot += 1) if (hashes[slot] === hash) return true;
    hashes.copyWithin(first + 1, first, end - 1);
    hashes[first] = hash;
    return false;
  }
}

/** FNV-1a over UTF-16 code units, never 0, which marks an empty slot. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // The low bits choose the bucket, so the high bits are mixed into them.
  hash = (hash ^ (hash >>> 15)) >>> 0;
  return hash === 0 ? 1 : hash;
}

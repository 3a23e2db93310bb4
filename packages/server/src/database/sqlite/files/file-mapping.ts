import type { DatabaseSync } from 'node:sqlite';

/** More than the 2 GiB that SQLite maps at most. */
const mappedBytesMax = 2 ** 40;

/** Mapping a file of half a gigabyte again takes up to a tenth of a second in all. */
const quietMs = 10_000;

/**
 * Maps the database file of a connection that reads, while no other connection commits.
 *
 * Mapped pages are read in place, which saves a look-up the system calls for a dozen pages. But after a commit of
 * another connection, SQLite unmaps the file, and each page that is then read costs a page fault, which takes longer
 * than the system call. So the file stays unmapped until those commits have ceased for ten seconds. Mapped pages
 * belong to the kernel's cache, which takes them back when memory is short.
 */
export class FileMapping {
  readonly #connection: DatabaseSync;
  readonly #now: () => number;
  #version: bigint | undefined;
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #isMapped = false;

  /** @param now milliseconds of a clock that is never set back */
  constructor(connection: DatabaseSync, now: () => number) {
    this.#connection = connection;
    this.#now = now;
  }

  /**
   * Maps or unmaps the file. Call it between transactions.
   *
   * @param version the connection's latest `data_version`
   */
  adapt(version: bigint): void {
    const nowMs = this.#now();
    if (version !== this.#version) {
      if (this.#version !== undefined) this.#changedAtMs = nowMs;
      this.#version = version;
    }
    const isQuiet = nowMs - this.#changedAtMs >= quietMs;
    if (isQuiet !== this.#isMapped) this.#map(isQuiet);
  }

  #map(isMapped: boolean): void {
    this.#connection.exec(`pragma mmap_size = ${isMapped ? mappedBytesMax : 0}`);
    this.#isMapped = isMapped;
  }
}

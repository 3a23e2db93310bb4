import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';

/** Windows has neither of these two flags, and lets only administrators make links. */
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;

/** Linux has here a name for each open folder, which leads to the folder wherever it was moved. */
const openFolders = '/proc/self/fd';

/**
 * A folder that stays the same one, even if somebody who owns the folder around it puts a link in its place. Root would
 * otherwise write and remove files wherever that link leads.
 *
 * Without Linux, the path is compared with the folder before each use. Somebody who replaces the folder between that
 * look and the use still leads it elsewhere.
 */
export class HeldFolder {
  readonly #path: string;
  readonly #descriptor: number | undefined;
  readonly stats: Stats;

  /** @throws when the path is not a folder, but a link to one for example */
  constructor(path: string) {
    this.#path = path;
    // Windows cannot open folders.
    this.#descriptor =
      process.platform === 'win32' ? undefined : openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    this.stats = this.#descriptor === undefined ? lstatSync(path) : fstatSync(this.#descriptor);
  }

  /** A path of the folder, for as long as it is held. */
  get path(): string {
    const held = `${openFolders}/${this.#descriptor}`;
    if (this.#descriptor !== undefined && existsSync(held)) return held;
    if (!this.isInPlace()) throw new Error(`${this.#path} was moved or replaced`);
    return this.#path;
  }

  /** Returns whether the folder still has the name under which it was opened. */
  isInPlace(): boolean {
    const found = lstatSync(this.#path, { throwIfNoEntry: false });
    return found?.ino === this.stats.ino && found.dev === this.stats.dev;
  }

  /** Removes what the folder contains, except one name, and follows no link meanwhile. */
  empty(kept?: string): void {
    for (const name of readdirSync(this.path)) if (name !== kept) removeTree(join(this.path, name));
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

/** Removes a file, a link, or a folder with its content, if there is one. Follows no link, whoever replaces what meanwhile. */
export function removeTree(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    rmSync(path, { force: true });
    return;
  }
  using folder = new HeldFolder(path);
  folder.empty();
  rmdirSync(path);
}

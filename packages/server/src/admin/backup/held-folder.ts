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
import { O_DIRECTORY, O_NOFOLLOW } from '../../machine/open-flags.ts';

/** Where Linux names the open folders of a process. Such a name leads to the folder wherever it was moved. */
const openFolders = '/proc/self/fd';

/**
 * A folder that stays the same one, even if somebody who owns the folder around it puts a link in its place. Root would
 * otherwise write and remove files wherever that link leads.
 *
 * Other systems have no such names, so the path is compared with the folder before each use. Somebody can still replace
 * the folder between that comparison and the use.
 */
export class HeldFolder {
  readonly #path: string;
  readonly #descriptor: number | undefined;
  readonly stats: Stats;

  /** @throws when the path is not a folder; a link to one is none */
  constructor(path: string) {
    this.#path = path;
    // Windows cannot open folders.
    this.#descriptor =
      process.platform === 'win32'
        ? undefined
        : openSync(path, constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
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

  /** Removes what the folder contains, except one name. Follows no link. */
  empty(kept?: string): void {
    for (const name of readdirSync(this.path)) if (name !== kept) removeTree(join(this.path, name));
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

/**
 * Removes a file, a link, or a folder with its content, if there is one. Never follows a link, even one that is put there
 * meanwhile.
 */
export function removeTree(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    rmSync(path, { force: true });
    return;
  }
  using folder = new HeldFolder(path);
  folder.empty();
  rmdirSync(path);
}

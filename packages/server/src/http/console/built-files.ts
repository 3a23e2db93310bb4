import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

/** The build leaves a compressed form beside a file if that is smaller. */
const compressedEnding = '.gz';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface BuiltFile {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** The same by gzip, if the build made it. */
  readonly compressed: Buffer | undefined;
}

/**
 * The built files of the console, each read once, when it is first asked for. All answers share its bytes. Streams would
 * let a client that reads nothing hold a file descriptor for each of its requests.
 */
export class BuiltFiles {
  readonly #folder: string;
  /** Bounded by the files that exist. */
  readonly #files = new Map<string, Promise<BuiltFile | undefined>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  find(name: string): Promise<BuiltFile | undefined> {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const reading = this.#read(name);
    this.#files.set(name, reading);
    const forget = () => this.#files.delete(name);
    reading.then((file) => file ?? forget(), forget);
    return reading;
  }

  async #read(name: string): Promise<BuiltFile | undefined> {
    const names = existsSync(this.#folder) ? await readdir(this.#folder) : [];
    if (!names.includes(name)) return undefined;
    const zipped = name + compressedEnding;
    const compressed = names.includes(zipped) ? await this.#bytesOf(zipped) : undefined;
    const contentType = contentTypes[extname(name)] ?? 'application/octet-stream';
    return { contentType, bytes: await this.#bytesOf(name), compressed };
  }

  #bytesOf(name: string): Promise<Buffer> {
    return readFile(`${this.#folder}/${name}`);
  }
}

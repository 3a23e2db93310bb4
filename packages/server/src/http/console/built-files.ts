import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

/** Compressed forms that the build may leave beside a file, the smallest first. */
const endings = { br: '.br', gzip: '.gz' };

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface BuiltFile {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** The compressed forms by content encoding, the best first. */
  readonly compressed: ReadonlyMap<string, Buffer>;
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
    const compressed = new Map<string, Buffer>();
    for (const [encoding, ending] of Object.entries(endings))
      if (names.includes(name + ending)) compressed.set(encoding, await this.#bytesOf(name + ending));
    const contentType = contentTypes[extname(name)] ?? 'application/octet-stream';
    return { contentType, bytes: await this.#bytesOf(name), compressed };
  }

  #bytesOf(name: string): Promise<Buffer> {
    return readFile(`${this.#folder}/${name}`);
  }
}

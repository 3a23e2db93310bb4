import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '../seeded-random.ts';
import type { DiskCall } from './disk-recorder.ts';

/** The unit that a disk writes as a whole. */
const sectorBytes = 512;

type Change = DiskCall & { readonly kind: 'write' | 'truncate' };

/** A buffer that grows without a copy for each write. */
class Content {
  #bytes: Buffer;
  #size: number;

  constructor(bytes: Uint8Array = Buffer.alloc(0)) {
    this.#bytes = Buffer.from(bytes);
    this.#size = bytes.length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  apply(change: Change): void {
    if (change.kind === 'truncate') this.#resize(change.size);
    else this.write(change.offset, change.data);
  }

  write(offset: number, data: Buffer): void {
    if (offset + data.length > this.#size) this.#resize(offset + data.length);
    data.copy(this.#bytes, offset);
  }

  #resize(size: number): void {
    if (size > this.#bytes.length) this.#bytes = Buffer.concat([this.bytes], 2 * size);
    // Bytes that were cut off must not return when the file grows again.
    this.#bytes.fill(0, Math.min(size, this.#size), Math.max(size, this.#size));
    this.#size = size;
  }
}

/** A file, its content on disk, and what would be lost or torn in a power cut. */
class RecordedFile {
  readonly #synced: Content;
  #pending: Change[] = [];

  constructor(bytes?: Uint8Array) {
    this.#synced = new Content(bytes);
  }

  change(change: Change): void {
    this.#pending.push(change);
  }

  sync(): void {
    for (const change of this.#pending) this.#synced.apply(change);
    this.#pending = [];
  }

  /** Returns the content after a power cut: what was synced, and any sectors of the pending writes. */
  afterPowerCut(random: SeededRandom): Buffer {
    const content = new Content(this.#synced.bytes);
    const share = random.pick([0, 0.5, 1]);
    for (const change of this.#pending) {
      if (change.kind === 'truncate') {
        if (random.chance(share)) content.apply(change);
        continue;
      }
      for (let start = 0; start < change.data.length; start += sectorBytes) {
        const sector = change.data.subarray(start, start + sectorBytes);
        if (random.chance(share)) content.write(change.offset + start, sector);
      }
    }
    return content.bytes;
  }
}

type Names = Map<string, RecordedFile>;

/**
 * A folder on a disk that keeps what was synced in a power cut, and any part of the rest. It is stricter than most file
 * systems: only a sync of the folder secures a new name.
 */
export class RecordedDisk {
  /** The names as programs see them. */
  readonly #names: Names = new Map();
  /** The names on disk. */
  #synced: Names = new Map();
  #pending: ((names: Names) => unknown)[] = [];

  /** @param folder its files count as synced */
  constructor(folder: string) {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile())
        this.#names.set(entry.name, new RecordedFile(readFileSync(join(folder, entry.name))));
    this.#synced = new Map(this.#names);
  }

  apply(call: DiskCall): void {
    switch (call.kind) {
      case 'write':
      case 'truncate':
        this.#fileOf(call.name).change(call);
        break;
      case 'sync':
        if (call.name === '.') this.#syncNames();
        else this.#names.get(call.name)?.sync();
        break;
      case 'unlink':
        this.#change((names) => names.delete(call.name));
        break;
      default: {
        const file = this.#fileOf(call.name);
        this.#change((names) => {
          names.set(call.to, file);
          if (call.kind === 'rename') names.delete(call.name);
        });
      }
    }
  }

  /** Writes the files as they may be after a power cut. */
  cutPower(folder: string, random: SeededRandom): void {
    mkdirSync(folder, { mode: 0o700 });
    const names = new Map(this.#synced);
    // Changes of names reach the disk in order, as in a file system with a journal.
    for (const change of this.#pending.slice(0, random.integer(0, this.#pending.length))) change(names);
    const contents = new Map([...new Set(names.values())].map((file) => [file, file.afterPowerCut(random)]));
    for (const [name, file] of names) {
      // Leaves out unfinished files in draft folders.
      if (name.includes('/')) continue;
      writeFileSync(join(folder, name), contents.get(file) ?? '', { mode: 0o600 });
    }
  }

  #fileOf(name: string): RecordedFile {
    const found = this.#names.get(name);
    if (found !== undefined) return found;
    const file = new RecordedFile();
    this.#change((names) => names.set(name, file));
    return file;
  }

  #change(change: (names: Names) => unknown): void {
    change(this.#names);
    this.#pending.push(change);
  }

  #syncNames(): void {
    for (const change of this.#pending) change(this.#synced);
    this.#pending = [];
  }
}

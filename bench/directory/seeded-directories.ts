import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { SeededDirectory, Subject } from '../measurement.ts';
import { seedDirectory } from './seed.ts';

/** Seeds each size once in a run and hands out copies, so that no contender sees what another one wrote. */
export class SeededDirectories {
  readonly #newFolder: () => string;
  readonly #templates = new Map<string, Promise<SeededDirectory>>();

  constructor(newFolder: () => string) {
    this.#newFolder = newFolder;
  }

  async copy(subject: Subject): Promise<SeededDirectory> {
    const key = `${subject.users} ${subject.root}`;
    let template = this.#templates.get(key);
    if (template === undefined) {
      template = seedDirectory(subject, join(this.#newFolder(), 'template'));
      this.#templates.set(key, template);
    }
    const folder = join(this.#newFolder(), 'data');
    const original = await template;
    await cp(original.folder, folder, { recursive: true });
    return { ...original, folder };
  }
}

import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { runSql } from '../../packages/server/test/test-postgres.ts';
import type { BenchPostgres, EngineName, SeededDirectory, Subject } from '../measurement.ts';
import { serverOf } from '../process/packages-of.ts';
import { flushToDisk } from './directory-files.ts';
import { seedDirectory } from './seed.ts';

export interface SeededDirectoriesOptions {
  readonly newFolder: () => string;
  readonly postgres: () => Promise<BenchPostgres>;
}

/** Seeds each size once in a run and hands out copies, so that no contender sees another's writes. */
export class SeededDirectories {
  readonly #options: SeededDirectoriesOptions;
  readonly #templates = new Map<string, Promise<SeededDirectory>>();

  constructor(options: SeededDirectoriesOptions) {
    this.#options = options;
  }

  async copy(subject: Subject, engine: EngineName): Promise<SeededDirectory> {
    const original = await this.#template(subject, engine);
    const folder = join(this.#options.newFolder(), 'data');
    await cp(original.folder, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
    await flushToDisk(folder);
    if (original.database === undefined) return { ...original, folder };
    const database = await (await this.#options.postgres()).copyDatabase(original.database);
    return { ...original, folder, database };
  }

  #template(subject: Subject, engine: EngineName): Promise<SeededDirectory> {
    const key = `${engine} ${subject.users} ${subject.root}`;
    let template = this.#templates.get(key);
    if (template === undefined) {
      template =
        engine === 'SQLite'
          ? seedDirectory(subject, join(this.#options.newFolder(), 'template'))
          : this.#moveToPostgres(subject);
      this.#templates.set(key, template);
    }
    return template;
  }

  /** Copies the seeded SQLite directory, so that both engines hold the same data. */
  async #moveToPostgres(subject: Subject): Promise<SeededDirectory> {
    const original = await this.#template(subject, 'SQLite');
    const { copyDirectory } = await serverOf(subject.root);
    const database = await (await this.#options.postgres()).createDatabase();
    await copyDirectory({ from: original.folder, to: database }, () => {});
    // Otherwise autovacuum would run in the middle of a round.
    await runSql(database, 'vacuum analyze');
    return { ...original, database };
  }
}

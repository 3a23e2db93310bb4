import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { runSql } from '../../packages/server/src/testing/test-postgres.ts';
import type { BenchPostgres, EngineName, SeededDirectory, Subject } from '../measurement.ts';
import { serverOf } from '../process/packages-of.ts';
import { seedDirectory } from './seed.ts';

/** Seeds each size once in a run and hands out copies, so that no contender sees what another one wrote. */
export class SeededDirectories {
  readonly #newFolder: () => string;
  readonly #postgres: () => Promise<BenchPostgres>;
  readonly #templates = new Map<string, Promise<SeededDirectory>>();

  constructor(newFolder: () => string, postgres: () => Promise<BenchPostgres>) {
    this.#newFolder = newFolder;
    this.#postgres = postgres;
  }

  async copy(subject: Subject, engine: EngineName): Promise<SeededDirectory> {
    const original = await this.#template(subject, engine);
    const folder = join(this.#newFolder(), 'data');
    await cp(original.folder, folder, { recursive: true });
    if (original.database === undefined) return { ...original, folder };
    return { ...original, folder, database: await (await this.#postgres()).copyDatabase(original.database) };
  }

  #template(subject: Subject, engine: EngineName): Promise<SeededDirectory> {
    const key = `${engine} ${subject.users} ${subject.root}`;
    let template = this.#templates.get(key);
    if (template === undefined) {
      template = engine === 'SQLite' ? this.#seed(subject) : this.#moveToPostgres(subject);
      this.#templates.set(key, template);
    }
    return template;
  }

  #seed(subject: Subject): Promise<SeededDirectory> {
    return seedDirectory(subject, join(this.#newFolder(), 'template'));
  }

  /** Both engines hold the same directory: the one is seeded, the other a copy of it. */
  async #moveToPostgres(subject: Subject): Promise<SeededDirectory> {
    const original = await this.#template(subject, 'SQLite');
    const { copyDirectory } = await serverOf(subject.root);
    const database = await (await this.#postgres()).createDatabase();
    await copyDirectory(original.folder, database, () => {});
    // Else this happens by itself some time later, in the middle of a round.
    await runSql(database, 'vacuum analyze');
    return { ...original, database };
  }
}

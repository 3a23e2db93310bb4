import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Contender, Subject } from '../measurement.ts';
import { runPinned } from '../process/pinned.ts';
import { quietEnvironment } from '../process/start-process.ts';
import { csvOf, importedRows, importedUser, rowsOfImport } from '../scenarios/payloads.ts';
import { builtCommand, startBuiltCommand } from './built-command.ts';

/** The published command imports a file of new users through the signed interface. */
export async function importUsers(bench: Bench, subject: Subject): Promise<Contender> {
  const directory = await bench.newDirectory(subject);
  const { url } = await startBuiltCommand(bench, subject, directory);
  const environment = {
    ...quietEnvironment(),
    FIELDROSTER_APP_ID: directory.appId,
    FIELDROSTER_APP_SECRET: directory.appSecret,
  };
  const folder = bench.newFolder();
  let round = 0;
  return async () => {
    const file = join(folder, `users-${round}.csv`);
    writeFileSync(file, csvOf(rowsOfImport(round++, importedUser)));
    const words = [builtCommand(subject.root), 'user', 'import', file, '--json', '--url', url];
    const startedAt = performance.now();
    const output = await runPinned(bench.cores.load, process.execPath, words, environment);
    const { created } = JSON.parse(output) as { created: number };
    const seconds = (performance.now() - startedAt) / 1000;
    return { value: created / seconds, failures: importedRows - created };
  };
}

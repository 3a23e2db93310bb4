import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench, Contender, Subject } from '../measurement.ts';
import { quietEnvironment } from '../process/child.ts';
import { pinned } from '../process/pinned.ts';
import { importedUser, importedUsers } from '../scenarios/payloads.ts';
import { builtCommand } from './built-command.ts';
import { serveFieldroster } from './fieldroster.ts';

const run = promisify(execFile);

/** The published command imports a file of new users through the signed interface. */
export async function importUsers(bench: Bench, subject: Subject): Promise<Contender> {
  const { url, directory, stop } = await serveFieldroster(bench, subject);
  const { appId, appSecret } = directory;
  const folder = bench.newFolder();
  let round = 0;
  return {
    async measure() {
      const file = join(folder, `users-${round}.csv`);
      writeFileSync(file, csvOf(importedUsers * round));
      round += 1;
      const words = [builtCommand(subject.root), 'user', 'import', file, '--json', '--url', url];
      const startedAt = performance.now();
      const [command, args] = pinned(bench.cores.load, process.execPath, words);
      const env = {
        ...quietEnvironment(),
        FIELDROSTER_APP_ID: appId,
        FIELDROSTER_APP_SECRET: appSecret,
      };
      const { stdout } = await run(command, args, { env });
      const { created } = JSON.parse(stdout) as { created: number };
      const seconds = (performance.now() - startedAt) / 1000;
      return { value: created / seconds, failures: importedUsers - created };
    },
    stop,
  };
}

function csvOf(first: number): string {
  const lines = Array.from({ length: importedUsers }, (_, index) => {
    const { username, realName, department, roleId, orgId, storeCode } = importedUser(first + index);
    return `${username},${realName},${department},${roleId},${orgId},${storeCode}`;
  });
  return ['username,real_name,department,role_id,org_id,store_codes', ...lines, ''].join('\n');
}

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { serveParent, timeOnce } from '../process/parent.ts';
import { importedUsers, userColumns, writeCsv } from '../scenarios/payloads.ts';

/** Arguments: the URL of a server, the credentials, the published command, and a folder for the files. */
const [url = '', appId = '', appSecret = '', command = '', folder = ''] = process.argv.slice(2);
const env = { ...process.env, FIELDROSTER_APP_ID: appId, FIELDROSTER_APP_SECRET: appSecret };
let imports = 0;

/** The command imports a file of new users through the signed interface. */
serveParent(() => {
  const users = importedUsers(imports);
  const file = join(folder, `users-${imports++}.csv`);
  writeCsv(file, userColumns, users);
  const words = [command, 'user', 'import', file, '--json', '--url', url];
  return timeOnce(users.length, () => {
    const { created } = JSON.parse(execFileSync(process.execPath, words, { env, encoding: 'utf8' }));
    return created;
  });
});

import { createDatabase, runSql } from '../../packages/server/test/test-postgres.ts';
import { serverOf } from '../directory/seed.ts';
import { serveParent, timeOnce } from '../process/parent.ts';

/**
 * Arguments: the folder of the checkout with `copy`, the folder of a seeded directory, its number of users, and the URL
 * of the PostgreSQL server to copy to.
 */
const [root = '', folder = '', users = '', server = ''] = process.argv.slice(2);
const { copyDirectory } = await serverOf(root);

serveParent(async () => {
  const target = await createDatabase(server, 'template1');
  const sample = await timeOnce(Number(users), async () => {
    const { tables } = await copyDirectory(folder, target, () => {});
    return tables.find(({ table }) => table === 'user')?.rows ?? 0;
  });
  await runSql(server, `drop database ${new URL(target).pathname.slice(1)}`);
  return sample;
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serverOf } from '../directory/seed.ts';
import { serveParent, timeOnce } from '../process/parent.ts';
import { importedStores } from '../scenarios/payloads.ts';

/** Arguments: the folder of the checkout with the importer, and the folder of a seeded directory. */
const [root = '', folder = ''] = process.argv.slice(2);
const { defaultTenantName, importStores, openDirectory } = await serverOf(root);
const reader = join(root, 'packages/cli/src/import-lists/read-list-file.ts');
const { readListFile }: typeof import('../../packages/cli/src/import-lists/read-list-file.ts') = await import(
  pathToFileURL(reader).href
);
const directory = await openDirectory({ data: folder, environment: {} });
const file = join(folder, 'stores.csv');
let imports = 0;

serveParent(() => {
  const stores = importedStores(imports++);
  // No value of these rows needs quotes.
  writeFileSync(file, ['code,name,address', ...stores, ''].join('\n'));
  return timeOnce(stores.length, async () => {
    const records = readListFile('stores', { path: file });
    const { inserted } = await importStores(directory, { tenant: defaultTenantName, file, records });
    return inserted;
  });
});

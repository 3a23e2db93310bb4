import { join } from 'node:path';
import { serverOf } from '../directory/seed.ts';
import type { Sample } from '../measurement.ts';
import { serveParent } from '../process/parent.ts';
import { importedStores, storeColumns, writeCsv } from '../scenarios/payloads.ts';

/** Arguments: the folder of the checkout with the importer, and the folder of a seeded directory. */
const [root = '', folder = ''] = process.argv.slice(2);
const { defaultTenantName, importStores, openDirectory } = await serverOf(root);
const directory = await openDirectory({ data: folder, environment: {} });
const file = join(folder, 'stores.csv');
let imports = 0;

serveParent(importOnce);

async function importOnce(): Promise<Sample> {
  const stores = importedStores(imports++);
  writeCsv(file, storeColumns, stores);
  const startedAt = performance.now();
  const { inserted } = await importStores(directory, { tenant: defaultTenantName, file });
  const seconds = (performance.now() - startedAt) / 1000;
  return { value: inserted / seconds, failures: stores.length - inserted };
}

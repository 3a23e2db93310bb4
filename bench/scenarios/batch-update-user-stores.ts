import { fieldroster } from '../contenders/fieldroster.ts';
import { Program } from '../contenders/program.ts';
import { seeded, storeCode, username } from '../directory/seeded-user.ts';
import type { PlainRequest } from '../load/request-file.ts';
import type { Scenario } from '../measurement.ts';

/** A user's stores are replaced by as many others, with nothing but SQL on the other side. */
function batchOf(stores: number, more: Partial<Scenario>): Scenario {
  return {
    name: `batch-update-user-stores-${stores}`,
    title: `POST /user/stores, ${stores.toLocaleString('en')} stores`,
    comparedTo: 'prepared statements, one transaction',
    unit: 'batches/s',
    better: 'higher',
    measured: (bench, subject) => fieldroster(bench, subject, () => batchTraffic(stores)),
    reference: async (bench, subject) => {
      const { folder } = await bench.newDirectory(subject);
      const args = [folder, String(stores)];
      return Program.start('baselines/raw-store-replacement.ts', args, bench.cores.server);
    },
    ...more,
  };
}

export const batchUpdateUserStores: readonly Scenario[] = [
  batchOf(10, { full: true }),
  // At most twice the time.
  batchOf(1_000, { mark: 0.5 }),
  batchOf(10_000, { full: true }),
];

/** How many users the batches go round. */
export const batchUsers = 10;

/** One connection, as the sync job of an integrator has. No store of a batch is in the user's one before. */
function batchTraffic(stores: number) {
  let sent = 0;
  return {
    connections: 1,
    once: true,
    firstCount: Math.ceil(1_000_000 / stores),
    *requests(count: number): Generator<PlainRequest> {
      for (let index = 0; index < count; index += 1) {
        yield batch(1 + (sent % batchUsers), Math.floor(sent / batchUsers) % 2, stores);
        sent += 1;
      }
    },
  };
}

function batch(userId: number, half: number, stores: number): PlainRequest {
  const store_codes = batchCodes(half, stores);
  const body = JSON.stringify({ username: username(userId), store_codes });
  return { method: 'POST', target: '/user/stores', body };
}

/** The two sets of stores that take turns; no store is in both. */
export function batchCodes(half: number, stores: number): string[] {
  const step = Math.floor(seeded.stores / 2 / stores);
  return Array.from({ length: stores }, (_, index) => storeCode(2 * index * step + half));
}

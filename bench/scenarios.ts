import type { Scenario } from './measurement.ts';
import { batchUpdateUserStores } from './scenarios/batch-update-user-stores.ts';
import { bindUserStore } from './scenarios/bind-user-store.ts';
import { createUser } from './scenarios/create-user.ts';
import { importStores } from './scenarios/import-stores.ts';
import { queryUser } from './scenarios/query-user.ts';
import { startUp } from './scenarios/start-up.ts';
import { verifySignature } from './scenarios/verify-signature.ts';

/** In the order of the printed table. */
export const scenarios: readonly Scenario[] = [
  queryUser,
  bindUserStore,
  ...batchUpdateUserStores,
  createUser,
  verifySignature,
  importStores,
  startUp,
];

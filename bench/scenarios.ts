import type { Scenario } from './measurement.ts';
import { batchUpdateUserStores } from './scenarios/batch-update-user-stores.ts';
import { bindUserStore } from './scenarios/bind-user-store.ts';
import { createUser } from './scenarios/create-user.ts';
import { directorySizes } from './scenarios/directory-size.ts';
import { importStores } from './scenarios/import-stores.ts';
import { queryUser } from './scenarios/query-user.ts';
import { queryUserNginx } from './scenarios/query-user-nginx.ts';
import { queryUserParseServer } from './scenarios/query-user-parse-server.ts';
import { queryUserPostgres } from './scenarios/query-user-postgres.ts';
import { startUp } from './scenarios/start-up.ts';
import { verifySignature } from './scenarios/verify-signature.ts';

/** In the order of the printed table. */
export const scenarios: readonly Scenario[] = [
  queryUser,
  ...queryUserPostgres,
  queryUserParseServer,
  queryUserNginx,
  bindUserStore,
  ...batchUpdateUserStores,
  createUser,
  verifySignature,
  importStores,
  startUp,
  ...directorySizes,
];

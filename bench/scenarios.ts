import type { Scenario } from './measurement.ts';
import { alsoAfresh, answeredAfresh } from './scenarios/answered-afresh.ts';
import { batchUpdateUserStores } from './scenarios/batch-update-user-stores.ts';
import { batchUsers } from './scenarios/batch-users.ts';
import { bindUserStore } from './scenarios/bind-user-store.ts';
import { createUser } from './scenarios/create-user.ts';
import { directorySizes } from './scenarios/directory-size.ts';
import { importStores } from './scenarios/import-stores.ts';

import { longestDelays } from './scenarios/longest-delay.ts';

import { queryUser, queryUserOnce } from './scenarios/query-user.ts';
import { queryUserDirectus } from './scenarios/query-user-directus.ts';
import { queryUserNginx } from './scenarios/query-user-nginx.ts';
import { queryUserParseServer, queryUserPostgresParseServer } from './scenarios/query-user-parse-server.ts';
import { queryUserPostgres } from './scenarios/query-user-postgres.ts';
import { queryUserSlapd } from './scenarios/query-user-slapd.ts';
import { queryUserSqlite } from './scenarios/query-user-sqlite.ts';
import { signedAnswers, signedAnswersSlapd } from './scenarios/signed-answers.ts';
import { startUp } from './scenarios/start-up.ts';
import { verifySignature } from './scenarios/verify-signature.ts';

/** In the order of the printed table. */
export function scenariosOf(sizes: readonly number[]): readonly Scenario[] {
  return [
    queryUser(sizes[0]),
    queryUserOnce(sizes[0]),
    ...signedAnswers,
    answeredAfresh(queryUserSqlite),
    ...queryUserPostgres,
    ...[queryUserSlapd, queryUserParseServer, queryUserDirectus].flatMap((scenario) => alsoAfresh(scenario)),
    ...alsoAfresh(queryUserPostgresParseServer, 'PostgreSQL'),
    ...signedAnswersSlapd,
    queryUserNginx,
    ...bindUserStore,
    ...batchUpdateUserStores,
    ...batchUsers,
    createUser,
    verifySignature,
    importStores,
    startUp,
    ...longestDelays,
    ...directorySizes(sizes),
  ];
}

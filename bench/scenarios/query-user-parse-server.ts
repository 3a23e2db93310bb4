import { fieldroster } from '../contenders/fieldroster.ts';
import { parseServer, parseUserPath } from '../contenders/parse-server.ts';
import { distinctReads } from '../contenders/server-under-load.ts';
import type { PlainRequest } from '../load/request-file.ts';
import type { Scenario } from '../measurement.ts';
import { queryUserTraffic } from './query-user.ts';
import { queryUserOnPostgres } from './query-user-postgres.ts';
import { randomNumbers } from './random.ts';

/** Each in the way that it is set up most quickly; only ours verifies a signature and joins role and organization. */
export const queryUserParseServer: Scenario = {
  name: 'query-user-parse-server',
  title: 'GET /user',
  comparedTo: 'Parse Server 9, user by id',
  unit: 'req/s',
  better: 'higher',
  mark: 8,
  peer: true,
  measured: (bench, subject) => fieldroster(bench, subject, ({ users }) => queryUserTraffic(users)),
  reference: (bench, subject) => parseServer(bench, subject, parseUserTraffic(subject.users)),
};

/** Both on the same PostgreSQL. */
export const queryUserPostgresParseServer: Scenario = {
  ...queryUserParseServer,
  name: 'query-user-postgres-parse-server',
  title: 'GET /user, PostgreSQL',
  mark: 2,
  measured: queryUserOnPostgres,
};

function parseUserTraffic(users: number) {
  const random = randomNumbers(1);
  return {
    connections: 32,
    once: false,
    firstCount: distinctReads,
    *requests(count: number): Generator<PlainRequest> {
      for (let index = 0; index < count; index += 1) {
        yield { method: 'GET', target: parseUserPath(1 + Math.floor(random() * users)) };
      }
    },
  };
}

import { fieldroster } from '../contenders/fieldroster.ts';
import { Program } from '../contenders/program.ts';
import type { PlainRequest } from '../load/request-file.ts';
import type { Scenario } from '../measurement.ts';

const connections = 8;

/** Hashing is nearly all of the work; both sides may use every core for it. */
export const createUser: Scenario = {
  name: 'create-user',
  title: 'POST /user with a password',
  comparedTo: 'argon2id alone, same cores',
  unit: 'users/s',
  better: 'higher',
  mark: 0.9,
  // A hash takes so long that those under way at the end of a short round would count.
  plan: { seconds: 5 },
  measured: (bench, subject) => fieldroster(bench, subject, createUserTraffic, { cores: bench.cores.all }),
  reference: (bench) => Program.start('baselines/argon2id-alone.ts', [String(connections)], bench.cores.all),
};

function createUserTraffic() {
  let created = 0;
  return {
    connections,
    once: true,
    firstCount: 2_000,
    *requests(count: number): Generator<PlainRequest> {
      for (let index = 0; index < count; index += 1) {
        created += 1;
        yield creation(`created.${created}`);
      }
    },
  };
}

function creation(username: string): PlainRequest {
  const body = JSON.stringify({ username, password: `pass of ${username}`, real_name: 'Newly Created' });
  return { method: 'POST', target: '/user', body };
}

import { fieldroster } from '../contenders/fieldroster.ts';
import { Program } from '../contenders/program.ts';
import type { Scenario } from '../measurement.ts';
import { queryUserTraffic } from './query-user.ts';

/** How much of the time is the database's: the other side reads the same rows and does nothing else. */
export const queryUserSqlite: Scenario = {
  name: 'query-user-sqlite',
  title: 'GET /user',
  comparedTo: 'prepared SQLite reads, no HTTP',
  unit: 'req/s',
  better: 'higher',
  measured: (bench, subject) => fieldroster(bench, subject, ({ users }) => queryUserTraffic(users)),
  reference: async (bench, subject) => {
    const { folder } = await bench.newDirectory(subject);
    return Program.start(
      'baselines/raw-sqlite-reads.ts',
      [folder, String(subject.users)],
      bench.cores.server,
    );
  },
};

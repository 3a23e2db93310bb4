import { fieldroster } from '../contenders/fieldroster.ts';
import { nginx, nginxIsMissing } from '../contenders/nginx.ts';
import type { Scenario } from '../measurement.ts';
import { queryUserTraffic } from './query-user.ts';

/** The same requests go to both servers; nginx reads no database and looks at no signature. */
export const queryUserNginx: Scenario = {
  name: 'query-user-nginx',
  title: 'GET /user',
  comparedTo: 'nginx, constant answer',
  unit: 'req/s',
  better: 'higher',
  peer: true,
  unavailable: nginxIsMissing,
  measured: (bench, subject) => fieldroster(bench, subject, ({ users }) => queryUserTraffic(users)),
  reference: (bench, { users }) => nginx(bench, queryUserTraffic(users)),
};

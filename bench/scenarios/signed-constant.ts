import { bareServer, bareSignedServer } from '../contenders/bare-server.ts';
import { slapd, slapdIsMissing } from '../contenders/slapd.ts';
import type { Scenario } from '../measurement.ts';
import { queryUserTraffic } from './query-user.ts';
import { searchTraffic } from './query-user-slapd.ts';

/** What is left to a server that verifies signatures and does nothing else: the limit of the marks of `GET /user`. */
const verified = {
  title: 'bare node:http, signature verified, constant answer',
  unit: 'req/s',
  better: 'higher',
  measured: (bench, { users }) => bareSignedServer(bench, queryUserTraffic(users)),
} as const satisfies Partial<Scenario>;

export const signedConstant: Scenario = {
  ...verified,
  name: 'signed-constant',
  comparedTo: 'bare node:http, constant answer',
  reference: (bench, { users }) => bareServer(bench, queryUserTraffic(users)),
};

export const signedConstantSlapd: Scenario = {
  ...verified,
  name: 'signed-constant-slapd',
  comparedTo: 'OpenLDAP slapd, search by uid',
  peer: true,
  unavailable: slapdIsMissing,
  reference: (bench, subject) => slapd(bench, subject, searchTraffic(subject.users)),
};

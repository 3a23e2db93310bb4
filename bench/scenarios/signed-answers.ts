import { bareServer, bareSignedServer } from '../contenders/bare-server.ts';
import { slapd, slapdIsMissing } from '../contenders/slapd.ts';
import type { Scenario } from '../measurement.ts';
import { queryUserTraffic } from './query-user.ts';
import { searchTraffic } from './query-user-slapd.ts';

type Reference = Pick<Scenario, 'comparedTo' | 'reference' | 'peer' | 'unavailable'>;
type Measured = Omit<Scenario, keyof Reference | 'name'>;

const rate = { unit: 'req/s', better: 'higher' } as const;

/** What is left to a server that verifies signatures and does nothing else: no server of signed requests does more. */
const constant: Measured = {
  ...rate,
  title: 'bare node:http, signature verified, constant answer',
  measured: (bench, { users }) => bareSignedServer(bench, queryUserTraffic(users)),
};

/** And to one that also logs and has an answer to each request in memory: the limit of the marks of `GET /user`. */
const kept: Measured = {
  ...rate,
  title: 'bare node:http, signature verified, kept answer, logged',
  measured: (bench, { users }) => bareSignedServer(bench, queryUserTraffic(users), 'kept'),
};

const besideBare: Reference = {
  comparedTo: 'bare node:http, constant answer',
  reference: (bench, { users }) => bareServer(bench, queryUserTraffic(users)),
};

const besideSlapd: Reference = {
  comparedTo: 'OpenLDAP slapd, search by uid',
  peer: true,
  unavailable: slapdIsMissing,
  reference: (bench, subject) => slapd(bench, subject, searchTraffic(subject.users)),
};

export const signedAnswers: readonly Scenario[] = [
  { ...constant, ...besideBare, name: 'signed-constant' },
  { ...kept, ...besideBare, name: 'signed-kept' },
];

export const signedAnswersSlapd: readonly Scenario[] = [
  { ...constant, ...besideSlapd, name: 'signed-constant-slapd' },
  { ...kept, ...besideSlapd, name: 'signed-kept-slapd' },
];

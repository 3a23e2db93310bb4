import { bareServer, bareSignedServer } from '../contenders/bare-server.ts';
import { slapd, slapdIsMissing } from '../contenders/slapd.ts';
import type { Scenario } from '../measurement.ts';
import { queryUserTraffic } from './query-user.ts';
import { searchTraffic } from './query-user-slapd.ts';

type Measured = Pick<Scenario, 'title' | 'measured'>;

/** What is left to a server that verifies signatures and does nothing else: no server of signed requests does more. */
const constant: Measured = {
  title: 'bare node:http, signature verified, constant answer',
  measured: (bench, { users }) => bareSignedServer(bench, queryUserTraffic(users)),
};

/** And to one that also logs and has an answer to each request in memory: the limit of the marks of `GET /user`. */
const kept: Measured = {
  title: 'bare node:http, signature verified, kept answer, logged',
  measured: (bench, { users }) => bareSignedServer(bench, queryUserTraffic(users), 'kept'),
};

export const signedAnswers: readonly Scenario[] = [
  besideBare('signed-constant', constant),
  besideBare('signed-kept', kept),
];

export const signedAnswersSlapd: readonly Scenario[] = [
  besideSlapd('signed-constant-slapd', constant),
  besideSlapd('signed-kept-slapd', kept),
];

function besideBare(name: string, measured: Measured): Scenario {
  return {
    ...measured,
    name,
    comparedTo: 'bare node:http, constant answer',
    unit: 'req/s',
    better: 'higher',
    reference: (bench, { users }) => bareServer(bench, queryUserTraffic(users)),
  };
}

function besideSlapd(name: string, measured: Measured): Scenario {
  return {
    ...measured,
    name,
    comparedTo: 'OpenLDAP slapd, search by uid',
    unit: 'req/s',
    better: 'higher',
    peer: true,
    unavailable: slapdIsMissing,
    reference: (bench, subject) => slapd(bench, subject, searchTraffic(subject.users)),
  };
}

import { fieldroster } from '../contenders/fieldroster.ts';
import type { Scenario } from '../measurement.ts';
import { neverRepeated } from './operation-traffic.ts';
import { queryUserTraffic } from './query-user.ts';

/** A comparison of queries, and the same again without any answer that the server has kept. */
export function alsoAfresh(scenario: Scenario): readonly Scenario[] {
  return [scenario, answeredAfresh({ ...scenario, name: `${scenario.name}-afresh` })];
}

/** The comparison with queries that are all answered from the database. */
export function answeredAfresh(scenario: Scenario): Scenario {
  return {
    ...scenario,
    title: `${scenario.title}, every answer new`,
    measured: (bench, subject) =>
      fieldroster(bench, subject, ({ users }) => neverRepeated(queryUserTraffic(users))),
  };
}

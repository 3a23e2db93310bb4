import { fieldroster } from '../contenders/fieldroster.ts';
import type { EngineName, Scenario } from '../measurement.ts';
import { neverRepeated } from './operation-traffic.ts';
import { queryUserTraffic } from './query-user.ts';

/** A comparison of queries, and the same again without any answer that the server has kept. */
export function alsoAfresh(scenario: Scenario, engine?: EngineName): readonly Scenario[] {
  return [scenario, answeredAfresh({ ...scenario, name: `${scenario.name}-afresh` }, engine)];
}

/** The comparison with queries that are all answered from the database. */
export function answeredAfresh(scenario: Scenario, engine: EngineName = 'SQLite'): Scenario {
  return {
    ...scenario,
    title: `${scenario.title}, every answer new`,
    measured: (bench, subject) =>
      fieldroster(bench, subject, ({ users }) => neverRepeated(queryUserTraffic(users)), { engine }),
  };
}

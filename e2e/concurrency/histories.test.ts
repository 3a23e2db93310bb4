import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { issueManager } from '../attack/issue-manager.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import type { Provisioned } from '../provision-directory.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import type { EntityKey, EntityState } from './entity-states.ts';
import { History } from './run-history.ts';
import { World } from './world.ts';

const clients = 12;
const calls = Number(process.env.FIELDROSTER_E2E_CALLS ?? atScale({ bounded: 400, full: 20_000 }));

describeOnEachEngine((provision, engine) => {
  const arrangements = engine === 'SQLite' ? ['one process', 'two workers'] : ['two nodes'];
  for (const arrangement of arrangements) {
    test(`a sequential order explains the answers to ${calls} calls of ${clients} clients to ${arrangement}`, async (t) => {
      const random = SeededRandom.ofRun();
      const directory = await provision(6);
      const manager = await issueManager(directory);
      const flags = arrangement === 'two workers' ? ['--workers', '2'] : [];
      const nodes = arrangement === 'two nodes' ? 2 : 1;
      const servers = await Promise.all(
        Array.from({ length: nodes }, () => ServerProcess.start(directory, ...flags)),
      );
      const processes = arrangement === 'one process' ? 1 : 2;
      const connections = await connectToEach(processes, () =>
        servers.flatMap(({ url }) =>
          Array.from({ length: clients }, () => new SignedClient(url, manager, 1)),
        ),
      );
      try {
        const { storeCodes, roleIds, orgIds } = directory;
        const usernames = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `user-${letter}`);
        const history = new History(new World({ usernames, storeCodes, roleIds, orgIds }), random);
        await Promise.all(
          Array.from({ length: clients }, (_, client) =>
            history.runClient(client, connectionsOf(connections, client), () => history.calls.length < calls),
          ),
        );
        const rows = await history.check(directory, initialStates(directory));
        const asked = history.calls.flatMap(({ requestId }) => requestId?.split('-')[0] ?? []);
        assert.equal(new Set(asked).size, processes, 'each process was asked');
        assert.deepEqual(
          servers.flatMap(({ errorLines }) => errorLines),
          [],
        );
        t.diagnostic(`${rows} audit rows; answers: ${counts(history)}`);
      } catch (error) {
        t.diagnostic(`seed ${random.seed}`);
        throw error;
      } finally {
        for (const connection of connections) connection.close();
        await Promise.all(servers.map((server) => server.kill()));
        await directory.remove();
      }
    });
  }
});

/** Each client has a connection of its own to each node. */
function connectionsOf(connections: readonly SignedClient[], client: number): SignedClient[] {
  return connections.filter((_, index) => index % clients === client);
}

function initialStates({ storeCodes, roleIds, orgIds }: Provisioned): Map<EntityKey, EntityState> {
  return new Map<EntityKey, EntityState>([
    ...storeCodes.map((code) => [`store:${code}`, { name: `Store ${code}`, revision: 1 }] as const),
    ...roleIds.map((id) => [`role:${id}`, { name: `Role ${id}`, revision: 1 }] as const),
    ...orgIds.map((id) => [`org:${id}`, { name: `Organization ${id}`, revision: 1 }] as const),
  ]);
}

function counts({ calls: made }: History): string {
  const byCode = Map.groupBy(made, ({ answered }) => answered?.code);
  return [...byCode].map(([code, same]) => `${code} ${same.length}`).join(', ');
}

/** Opens connections until they lead to as many processes: which of two workers accepts one is left to the system. */
async function connectToEach(processes: number, open: () => SignedClient[]): Promise<SignedClient[]> {
  for (;;) {
    const connections = open();
    const ids = new Set<string | undefined>();
    for (const connection of connections) {
      const { headers } = await connection.exchange(connection.sign('GET', '/roles'));
      ids.add(String(headers['x-request-id']).split('-')[0]);
    }
    if (ids.size === processes) return connections;
    for (const connection of connections) connection.close();
  }
}

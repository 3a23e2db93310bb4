import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer, type TestServer } from '../../test/test-server.ts';

const servers: TestServer[] = [];
after(() => Promise.all(servers.map((server) => server.close())));

const ids = [101, 102, 103, 104, 105, 106];

interface Step {
  readonly kind: 'create' | 'move' | 'delete';
  readonly id: number;
  /** 0 for none. */
  readonly parent: number;
}

const steps = fc.record({
  kind: fc.constantFrom<Step['kind'][]>('create', 'move', 'move', 'move', 'delete'),
  id: fc.constantFrom(...ids),
  parent: fc.constantFrom(0, ...ids),
});

function send(server: TestServer, { kind, id, parent }: Step) {
  if (kind === 'create') return server.call('POST', '/org', { id, name: 'N', parent_id: parent });
  if (kind === 'move') return server.call('PUT', '/org', { id, parent_id: parent });
  return server.call('DELETE', `/org?id=${id}`);
}

/** Applies the step to a map from each organization to its parent, and returns the expected code. */
function apply(model: Map<number, number>, { kind, id, parent }: Step): number {
  const parentMissing = parent !== 0 && !model.has(parent);
  if (kind === 'create') {
    if (parentMissing) return 1301;
    if (model.has(id)) return 1304;
  } else if (!model.has(id)) {
    return 1301;
  }
  if (kind === 'delete') {
    if ([...model.values()].includes(id)) return 1303;
    model.delete(id);
    return 0;
  }
  if (parentMissing) return 1301;
  if (kind === 'move' && pathUp(model, parent).includes(id)) return 1305;
  model.set(id, parent);
  return 0;
}

/** Returns the organization and all its ancestors; stops where the tree is broken. */
function pathUp(model: ReadonlyMap<number, number>, start: number): number[] {
  const path: number[] = [];
  for (let id = start; id !== 0 && !path.includes(id); id = model.get(id) ?? 0) path.push(id);
  return path;
}

async function treeOf(server: TestServer): Promise<Map<number, number>> {
  const { envelope } = await server.succeed('GET', '/orgs?limit=500');
  const { orgs } = envelope.data as { orgs: { id: number; parent_id: number }[] };
  const ours = orgs.filter(({ id }) => ids.includes(id));
  return new Map(ours.map(({ id, parent_id }) => [id, parent_id]));
}

/** Makes each of the organizations a root. */
async function plant(server: TestServer): Promise<void> {
  await server.db.deleteFrom('org').where('id', 'in', ids.map(BigInt)).execute();
  for (const id of ids) await server.succeed('POST', '/org', { id, name: 'N' });
}

async function start(): Promise<TestServer> {
  const server = await startTestServer();
  servers.push(server);
  return server;
}

test('any sequence of creations, moves and removals changes the tree as it changes a model', async () => {
  const server = await start();
  const law = fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 25 }), async (sequence) => {
    await plant(server);
    const model = new Map(ids.map((id) => [id, 0]));
    for (const step of sequence) {
      const expected = apply(model, step);
      const { envelope } = await send(server, step);
      assert.equal(envelope.code, expected, `${JSON.stringify(step)}: ${envelope.message}`);
      assert.deepEqual(await treeOf(server), new Map([...model].sort(([a], [b]) => a - b)));
    }
  });
  await fc.assert(law, { numRuns: 15 });
});

test('the organizations stay a forest under simultaneous creations, moves and removals', async () => {
  const server = await start();
  const law = fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 30 }), async (sequence) => {
    await plant(server);
    await Promise.all(sequence.map((step) => send(server, step)));
    const tree = await treeOf(server);
    for (const [id, parent] of tree) {
      assert(parent === 0 || tree.has(parent), `${id} is below ${parent}, which does not exist`);
      assert(!pathUp(tree, parent).includes(id), `${id} is above itself`);
    }
  });
  await fc.assert(law, { numRuns: 15 });
});

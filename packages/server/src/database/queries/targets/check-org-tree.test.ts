import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findCycle } from './check-org-tree.ts';

test('a cycle is reported if and only if some organization cannot reach a root', () => {
  const id = fc.bigInt(1n, 8n);
  fc.assert(
    fc.property(fc.array(fc.tuple(id, id), { maxLength: 10 }), (pairs) => {
      const parents = new Map(pairs);
      const cycle = findCycle(parents, parents.keys());
      const lost = [...parents.keys()].some((start) => !reachesRoot(parents, start));
      assert.equal(cycle !== undefined, lost);
      for (const [index, member] of (cycle ?? []).entries()) {
        assert.equal(parents.get(member), cycle?.[(index + 1) % cycle.length]);
      }
    }),
  );
});

function reachesRoot(parents: ReadonlyMap<bigint, bigint>, start: bigint): boolean {
  let id: bigint | undefined = start;
  for (let steps = 0; id !== undefined; steps++) {
    if (steps > parents.size) return false;
    id = parents.get(id);
  }
  return true;
}

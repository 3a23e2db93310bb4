import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';

/**
 * Returns how V8 accesses each computed property of the objects that `process.nextTick` makes, in a process that
 * collected its garbage while idle.
 *
 * @param preparation the first lines of its program
 */
function accessesAfterCollections(preparation: string): string[] {
  const program = `${preparation}
    import { setImmediate as nextIteration } from 'node:timers/promises';
    for (let collection = 0; collection < 6; collection += 1) {
      for (let call = 0; call < 2_000; call += 1) {
        process.nextTick(() => {});
        if (call % 100 === 0) await nextIteration();
      }
      await nextIteration();
      gc();
    }
    const feedback = new Function('target', 'return %GetFeedback(target)')(process.nextTick);
    const computed = feedback.filter(([kind]) => kind === 'DefineKeyedOwnPropertyInLiteral');
    console.log(JSON.stringify(computed.map(([, access]) => access.split('\\n')[0])));`;
  const flags = ['--expose-gc', '--allow-natives-syntax', '--conditions=fieldroster-source'];
  const output = execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', program]);
  return JSON.parse(String(output)) as string[];
}

describe('calls of process.nextTick', () => {
  test('keep their shape while the process is idle', () => {
    const module = JSON.stringify(new URL('keep-next-tick-fast.ts', import.meta.url));
    const accesses = accessesAfterCollections(
      `import { keepNextTickFast } from ${module};\nkeepNextTickFast();\nawait null;`,
    );
    assert.ok(accesses.length > 0);
    for (const access of accesses) assert.equal(access, 'MONOMORPHIC');
  });

  // When this fails, Node.js no longer needs our help: remove `keepNextTickFast`.
  test('lose their shape without the object that is kept', () => {
    const losesShape = () => accessesAfterCollections('').includes('MEGAMORPHIC');
    // About one process in sixty keeps it by chance, so most of three must lose it.
    const lost = [1, 2, 3].filter(losesShape);
    assert.ok(lost.length >= 2, `${lost.length} of 3 processes lost it`);
  });
});

import type { ExplainedSurvivor } from './explained-survivor.ts';

const retryWhileBusy = 'packages/server/src/database/sqlite/errors/retry-while-busy.ts';
const recentKeys = 'packages/server/src/pipeline/steps/recent-keys.ts';
const presentAnswer = 'packages/server/src/pipeline/steps/present-answer.ts';
const isNestedDeeper = 'packages/server/src/pipeline/steps/input/is-nested-deeper.ts';
const fairLane = 'packages/server/src/fairness/fair-lane.ts';
const memoryQueue = 'packages/server/src/fairness/memory-queue.ts';
const runWithMemory = 'packages/server/src/fairness/run-with-memory.ts';
const longLists = 'packages/server/src/pipeline/steps/long-lists.ts';
const ownerHasItem =
  'An owner in the lane has at least one item, since at least one may stand; only the type says that it may have none.';

/**
 * Explained changes of single steps of a request, of the order in which callers are served, and of how the database is opened.
 */
export const explainedInSteps: readonly ExplainedSurvivor[] = [
  {
    file: retryWhileBusy,
    line: 'if (!isBusy(error) || performance.now() > deadline) throw error;',
    code: 'performance.now() > deadline',
    replacement: 'performance.now() >= deadline',
    reason: 'The clock counts fractions of a microsecond, so the two never differ.',
  },
  {
    file: recentKeys,
    line: 'for (let slot = first; slot < end; slot += 1) if (hashes[slot] === hash) return true;',
    code: 'slot < end',
    replacement: 'slot <= end',
    reason: 'The slot after a bucket belongs to the next one, whose hashes end in other bits.',
  },
  {
    file: recentKeys,
    line: 'for (let index = 0; index < text.length; index += 1)',
    code: 'index < text.length',
    replacement: 'index <= text.length',
    reason: 'One step beyond the end multiplies every hash by the same odd number, which keeps them apart.',
  },
  ...[
    ['for (let at = 0; at < json.length; at++) {', 'at < json.length', 'at <= json.length'],
    [
      'while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;',
      'at < json.length',
      'at <= json.length',
    ],
  ].map(([line = '', code = '', replacement = '']) => ({
    file: isNestedDeeper,
    line,
    code,
    replacement,
    reason: 'The byte beyond the end is undefined, which is neither a bracket nor a quotation mark.',
  })),
  {
    file: presentAnswer,
    line: 'if (schema === undefined || list === undefined) return undefined;',
    code: 'schema === undefined',
    replacement: 'false',
    reason: 'Without a schema there is no list either; the comparison is there for the type checker.',
  },
  {
    file: presentAnswer,
    line: 'const [field, property] = Object.entries(schema.properties).at(-1) ?? [];',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'The data of every operation has a field; the empty list is there for the type checker.',
  },
  ...[
    "field !== undefined && type === 'array'",
    'field !== undefined',
    "type === 'array'",
    'items !== undefined',
  ].map((code) => ({
    file: presentAnswer,
    line: "return field !== undefined && type === 'array' && items !== undefined ? { field, items } : undefined;",
    code,
    replacement: 'true',
    reason:
      'A schema has items if, and only if, it is that of an array; the rest is there for the type checker.',
  })),
  {
    file: presentAnswer,
    line: 'if (timeSlice.isOver()) await timeSlice.next();',
    code: 'timeSlice.isOver()',
    replacement: 'true',
    reason: 'More iterations of the event loop only take longer.',
  },
  {
    file: 'packages/server/src/pipeline/steps/input/refuse-joined-values.ts',
    line: "if (!value.includes('&')) continue;",
    code: "!value.includes('&')",
    replacement: 'false',
    reason: 'The shortcut only saves time: every separator begins with "&".',
  },
  {
    file: presentAnswer,
    line: "return field !== undefined && type === 'array' && items !== undefined ? { field, items } : undefined;",
    code: "field !== undefined && type === 'array' && items !== undefined",
    replacement: "field !== undefined && type === 'array' || items !== undefined",
    reason:
      'A schema has items if, and only if, it is that of an array; the rest is there for the type checker.',
  },
  {
    file: 'packages/server/src/pipeline/failures/name-refused-user.ts',
    line: '} catch {',
    code: '{ // A body that is not JSON, or no object, names nobody. return undefined; }',
    replacement: '{}',
    reason: 'A function that ends without a return returns undefined too.',
  },
  ...[
    ["refused.outcome === 'malformed-header'", 'false'],
    ["'malformed-header'", '""'],
  ].map(([code = '', replacement = '']) => ({
    file: 'packages/server/src/pipeline/steps/verify-signature.ts',
    line: "if (refused.outcome === 'malformed-header') return refused;",
    code,
    replacement,
    reason: 'Without an APPID, no application is found either; the comparison is there for the type checker.',
  })),
  {
    file: 'packages/server/src/database/sqlite/writes/checkpoints.ts',
    line: "return new Worker(ownModule('database/sqlite/writes/checkpoint-worker'), { workerData, execArgv: [] });",
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A thread ignores arguments that are not options of Node.js; it only must not get ours.',
  },
  {
    file: 'packages/server/src/pipeline/steps/encode-large-answer.ts',
    line: 'if (answer.body.length <= encodedAtOnceMax || answer.etag !== undefined) return answer;',
    code: 'answer.body.length <= encodedAtOnceMax',
    replacement: 'answer.body.length < encodedAtOnceMax',
    reason: 'An answer of exactly this length has the same bytes either way, and its encoding takes as long.',
  },
  {
    file: fairLane,
    line: 'const cost = queue.entries[0]?.cost ?? 0;',
    code: 'queue.entries[0]?.cost',
    replacement: 'queue.entries[0].cost',
    reason: ownerHasItem,
  },
  {
    file: fairLane,
    line: 'if (entry === undefined) return undefined;',
    code: 'entry === undefined',
    replacement: 'false',
    reason: ownerHasItem,
  },
  {
    file: fairLane,
    line: 'const rounds = Math.min(...queues.map(({ entries, deficit }) => (entries[0]?.cost ?? 0) - deficit));',
    code: 'entries[0]?.cost',
    replacement: 'entries[0].cost',
    reason: ownerHasItem,
  },
  ...[
    ['turns += 1', 'turns -= 1', 'for (let turns = 1; ; turns += 1) {'],
    ...['true', 'turns % this.#queues.size !== 0'].map((replacement) => [
      'turns % this.#queues.size === 0',
      replacement,
      'if (turns % this.#queues.size === 0) this.#skipRounds();',
    ]),
  ].map(([code = '', replacement = '', line = '']) => ({
    file: fairLane,
    line,
    code,
    replacement,
    reason:
      'Rounds in which nobody can spend enough may be skipped at any turn; once a round spares looking at all owners.',
  })),
  ...['true', 'this.#queues.size >= 1'].map((replacement) => ({
    file: fairLane,
    line: 'if (queue.deficit < cost && this.#queues.size > 1) {',
    code: 'this.#queues.size > 1',
    replacement,
    reason:
      'An owner that waits alone has one round after another until it may spend enough for the same item.',
  })),
  ...[
    ['{ once: true }', '{}'],
    ['true', 'false'],
  ].map(([code = '', replacement = '']) => ({
    file: 'packages/server/src/fairness/fair-queue.ts',
    line: "signal?.addEventListener('abort', leave, { once: true });",
    code,
    replacement,
    reason: 'A signal aborts only once; the option only lets go of the listener.',
  })),
  ...[
    ['if (turns === undefined) return;', 'turns === undefined', 'false'],
    [
      'if (this.#turns.get(name)?.leases === 0 && !this.#waiting.has(name)) this.#turns.delete(name);',
      'this.#turns.get(name)?.leases',
      'this.#turns.get(name).leases',
    ],
    ['if (waiter === undefined) continue;', 'waiter === undefined', 'false'],
  ].map(([line = '', code = '', replacement = '']) => ({
    file: memoryQueue,
    line,
    code,
    replacement,
    reason:
      'A holder that waits or has memory has turns, and one that is listed as waiting has a waiter; only the types say that they may have none.',
  })),
  {
    file: memoryQueue,
    line: 'if (own?.delete(waiter) !== true) return false;',
    code: 'false',
    replacement: 'true',
    reason: 'Unless somebody left or gave memory back, another attempt to grant some finds nobody.',
  },
  ...[
    ["signal?.addEventListener('abort', leaveEarly, { once: true });", '{ once: true }', '{}'],
    ["signal?.addEventListener('abort', leaveEarly, { once: true });", 'true', 'false'],
    [
      "return promise.finally(() => signal?.removeEventListener('abort', leaveEarly));",
      "() => signal?.removeEventListener('abort', leaveEarly)",
      '() => undefined',
    ],
  ].map(([line = '', code = '', replacement = '']) => ({
    file: runWithMemory,
    line,
    code,
    replacement,
    reason:
      'A signal aborts only once, and work that no longer waits ignores it; this only lets go of the listener.',
  })),
  ...[
    ['{ once: true }', '{}'],
    ['true', 'false'],
  ].map(([code = '', replacement = '']) => ({
    file: longLists,
    line: "gone.addEventListener('abort', leave, { once: true });",
    code,
    replacement,
    reason: 'A signal aborts only once; the option only lets go of the listener.',
  })),
  {
    file: longLists,
    line: 'if (first.done !== true) yield first.value;',
    code: 'first.done !== true',
    replacement: 'true',
    reason: 'Even an empty list is presented in one piece; the comparison is there for the type checker.',
  },
  {
    file: longLists,
    line: 'await iterator.return?.();',
    code: 'iterator.return?.()',
    replacement: 'iterator.return()',
    reason: 'Generators read the lists, and have the method; only the type says that it may be missing.',
  },
  ...[
    ['!properties.some(([, property]) => isList(property))', 'false'],
    ['[]', '["Stryker was here"]'],
  ].map(([code = '', replacement = '']) => ({
    file: 'packages/server/src/pipeline/steps/serialize-entry.ts',
    line: 'if (!properties.some(([, property]) => isList(property))) return [];',
    code,
    replacement,
    reason:
      'An entry without lists is never long, so nothing uses its members; the shortcut saves making their serializers.',
  })),
  {
    file: 'packages/server/src/fairness/refusal-share.ts',
    line: '#isFlooded = false;',
    code: 'false',
    replacement: 'true',
    reason: 'The first call sets it, because no period has begun.',
  },
];

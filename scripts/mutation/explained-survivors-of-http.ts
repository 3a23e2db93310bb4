import type { ExplainedSurvivor } from './explained-survivor.ts';

const http = 'packages/server/src/http';
const clockNeverEqual = 'The clock counts fractions of a microsecond, so the two never differ.';
const serializedAnyway = 'Without it, the serializer writes the same bytes, only more slowly.';
const noOriginIsListed = 'undefined is in no list of origins; the comparison is there for the type checker.';

/** Explained changes of the room `http`. */
export const explainedSurvivorsOfHttp: readonly ExplainedSurvivor[] = [
  {
    file: `${http}/envelope.ts`,
    line: 'export const envelopeSchema = {',
    code: "{ type: 'object', required: ['code', 'message'], properties: { code: { type: 'integer' }, message: { type: 'string' } }, }",
    replacement: '{}',
    reason: serializedAnyway,
  },
  {
    file: `${http}/envelope.ts`,
    line: "required: ['code', 'message'],",
    code: "['code', 'message']",
    replacement: '[]',
    reason: 'Every envelope has both; the compiled serializer only leaves out a check.',
  },
  ...['integer', 'string'].map((type) => ({
    file: `${http}/envelope.ts`,
    line: "properties: { code: { type: 'integer' }, message: { type: 'string' } },",
    code: `{ type: '${type}' }`,
    replacement: '{}',
    reason: serializedAnyway,
  })),
  ...['true', 'hops >= 0'].map((replacement) => ({
    file: `${http}/client-address.ts`,
    line: 'return hops > 0 && ((_address, hop) => hop < hops);',
    code: 'hops > 0',
    replacement,
    reason: 'A function that believes no proxy has the effect of `false`, and only takes more time.',
  })),
  {
    file: `${http}/cross-origin.ts`,
    line: 'if (origin !== undefined && origins.has(origin)) {',
    code: 'origin !== undefined',
    replacement: 'true',
    reason: noOriginIsListed,
  },
  {
    file: `${http}/cross-origin.ts`,
    line: 'if (requested === undefined || origin === undefined || !origins.has(origin)) return done();',
    code: 'origin === undefined',
    replacement: 'false',
    reason: noOriginIsListed,
  },
  {
    file: `${http}/client-error.ts`,
    line: 'else if (socket.writable) answer();',
    code: 'socket.writable',
    replacement: 'true',
    reason:
      'What is written to a connection that has ended is sent to nobody, and the connection closes anyway.',
  },
  {
    file: `${http}/connection-limit.ts`,
    line: 'if (performance.now() - this.#warnedAtMs < warnIntervalMs) return;',
    code: 'performance.now() - this.#warnedAtMs < warnIntervalMs',
    replacement: 'performance.now() - this.#warnedAtMs <= warnIntervalMs',
    reason: clockNeverEqual,
  },
];

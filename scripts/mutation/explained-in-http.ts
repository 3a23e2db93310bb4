import type { ExplainedSurvivor } from './explained-survivor.ts';

const http = 'packages/server/src/http';
const onlySavesTime = 'The shortcut only saves time: the code after it comes to the same result.';
const serializedAnyway = 'Without it, the serializer writes the same bytes, only more slowly.';
const noOriginIsListed = 'undefined is in no list of origins; the comparison is there for the type checker.';

/** Explained changes in the folder `http`, but for those in `http/body`. */
export const explainedInHttp: readonly ExplainedSurvivor[] = [
  {
    file: `${http}/answers/envelope.ts`,
    line: 'export const envelopeSchema = {',
    code: "{ type: 'object', required: ['code', 'message'], properties: { code: { type: 'integer' }, message: { type: 'string' } }, }",
    replacement: '{}',
    reason: serializedAnyway,
  },
  {
    file: `${http}/answers/envelope.ts`,
    line: "required: ['code', 'message'],",
    code: "['code', 'message']",
    replacement: '[]',
    reason: 'Every envelope has both; the compiled serializer only leaves out a check.',
  },
  ...['integer', 'string'].map((type) => ({
    file: `${http}/answers/envelope.ts`,
    line: "properties: { code: { type: 'integer' }, message: { type: 'string' } },",
    code: `{ type: '${type}' }`,
    replacement: '{}',
    reason: serializedAnyway,
  })),
  {
    file: `${http}/answers/held-bytes.ts`,
    line: "if (typeof announced !== 'number') return 0;",
    code: "typeof announced !== 'number'",
    replacement: 'false',
    reason: 'Without an announced length, the property is null, and the smaller of that and a number is 0.',
  },
  {
    file: `${http}/keep-write-order.ts`,
    line: "socket.once('close', () => {",
    code: '{ for (const end of this.#ends) end(); }',
    replacement: '{}',
    reason:
      'Node.js 26 also closes the answers that wait behind another, which ends their waits. Node.js 20 closes only the one that it sends next.',
  },
  ...['true', 'hops >= 0'].map((replacement) => ({
    file: `${http}/client-address.ts`,
    line: 'return hops > 0 && ((_address, hop) => hop < hops);',
    code: 'hops > 0',
    replacement,
    reason: 'A function that believes no proxy has the effect of `false`, and only takes more time.',
  })),
  {
    file: `${http}/console/built-files.ts`,
    line: 'const names = existsSync(this.#folder) ? await readdir(this.#folder) : [];',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'Nobody asks for a file of this name.',
  },
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
    file: `${http}/parsing/client-error.ts`,
    line: 'else if (socket.writable) refuse(socket, parts, refusal);',
    code: 'socket.writable',
    replacement: 'true',
    reason:
      'What is written to a connection that has ended is sent to nobody, and the connection closes anyway.',
  },
  {
    file: `${http}/parsing/refuse-unreadable.ts`,
    line: "return url?.includes('#') ? 'fragment' : undefined;",
    code: 'url?.includes',
    replacement: 'url.includes',
    reason: 'Every request to a server has a target; only the type says that one may have none.',
  },
  {
    file: `${http}/log/caller-ids.ts`,
    line: 'if (requestId === undefined && traceparent === undefined) return none;',
    code: 'requestId === undefined && traceparent === undefined',
    replacement: 'false',
    reason: onlySavesTime,
  },
  ...[
    ['lineEnd === -1', 'false'],
    ['-1', '+1'],
  ].map(([code = '', replacement = '']) => ({
    file: `${http}/parsing/escape-raw-target.ts`,
    line: "if (lineEnd === -1) return 'not-at-start';",
    code,
    replacement,
    reason: 'Without the end of a line, or with one after a single byte, the line is no request line either.',
  })),
  {
    file: `${http}/parsing/origin-form.ts`,
    line: "if (target.startsWith('/')) return target;",
    code: "target.startsWith('/')",
    replacement: 'false',
    reason: onlySavesTime,
  },
  {
    file: `${http}/answers/fixed-headers.ts`,
    line: "if (typeof value !== 'function') throw new TypeError('this release of Node.js has no _storeHeader');",
    code: "typeof value !== 'function'",
    replacement: 'false',
    reason: 'Every release of Node.js that can run the tests has the function.',
  },
  {
    file: `${http}/limits/accept-between-requests.ts`,
    line: "if (taken === undefined) throw new RangeError('no request waits');",
    code: 'taken === undefined',
    replacement: 'false',
    reason: 'Nothing is taken from an empty queue; the check is there for the type checker.',
  },
  {
    file: `${http}/unmatched.ts`,
    line: 'return !(error instanceof ApiError) && error.statusCode !== undefined && error.statusCode < 500;',
    code: 'error.statusCode !== undefined',
    replacement: 'true',
    reason: 'undefined is not less than any number; the comparison is there for the type checker.',
  },
  {
    file: `${http}/log/request-log.ts`,
    line: 'if (known !== undefined) return known;',
    code: 'known !== undefined',
    replacement: 'false',
    reason: 'A new logger would write the same lines; keeping it only saves time.',
  },
  {
    file: `${http}/log/line-budgets.ts`,
    line: 'return name === undefined || this.#budgets.get(name)?.take(code) === true;',
    code: 'this.#budgets.get(name)?.take',
    replacement: 'this.#budgets.get(name).take',
    reason: 'Every name has a budget; only the type says that one may have none.',
  },
  ...['console/console-routes.ts', 'received-call.ts'].map((file) => ({
    file: `${http}/${file}`,
    line: '...(body !== undefined && { incoming: body }),',
    code: 'body !== undefined',
    replacement: 'true',
    reason:
      'A call whose body is undefined is taken as one without; the comparison is there for the type checker.',
  })),
  {
    file: `${http}/reference/reference-routes.ts`,
    line: "const text = path === '' ? placed(file.text, below, request.raw.url ?? '') : file.text;",
    code: "path === ''",
    replacement: 'true',
    reason: 'Only the page itself has these places; in the other files, nothing is found.',
  },
  {
    file: `${http}/create-listener.ts`,
    line: 'return503OnClosing: false,',
    code: 'false',
    replacement: 'true',
    reason: 'A stop closes every connection before Fastify begins to close, so that no request arrives then.',
  },
  ...[
    ['{ querystringParser: () => ({}) }', '{}'],
    ['() => ({})', '() => undefined'],
  ].map(([code = '', replacement = '']) => ({
    file: `${http}/create-listener.ts`,
    line: 'routerOptions: { querystringParser: () => ({}) },',
    code,
    replacement,
    reason: 'Nobody reads the query that Fastify parsed; not parsing it only saves time.',
  })),
  ...[
    ['{ response: { default: envelopeSchema } }', '{}'],
    ['{ default: envelopeSchema }', '{}'],
  ].map(([code = '', replacement = '']) => ({
    file: `${http}/operation-routes.ts`,
    line: 'schema: { response: { default: envelopeSchema } },',
    code,
    replacement,
    reason: serializedAnyway,
  })),
  {
    file: `${http}/limits/unread-answers.ts`,
    line: "socket.once('close', () => this.#connections.delete(socket));",
    code: '() => this.#connections.delete(socket)',
    replacement: '() => undefined',
    reason: 'Checks skip closed connections; without it, they would be kept for ever.',
  },
  ...[
    ['bytes <= this.#bytesMax', 'bytes < this.#bytesMax', 'if (bytes <= this.#bytesMax) return;'],
    [
      'bytes <= this.#readBytesMax',
      'bytes < this.#readBytesMax',
      'if (connection.hasJustRead && bytes <= this.#readBytesMax) continue;',
    ],
    [
      'sight.idleChecks < latelyChecks',
      'sight.idleChecks <= latelyChecks',
      'const hasReadLately = sight.idleChecks < latelyChecks;',
    ],
  ].map(([code = '', replacement = '', line = '']) => ({
    file: `${http}/limits/unread-answers.ts`,
    line,
    code,
    replacement,
    reason: 'The memory and the time are rough amounts; a byte or a check more makes no difference.',
  })),
];

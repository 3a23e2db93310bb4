import { inServer } from './area-rules.ts';
import type { ImportRule } from './import-rules.ts';

/** Rules for libraries that one part of the server encapsulates. */
export const libraryRules: readonly ImportRule[] = [
  onlyIn('database/', ['database/*'], ['kysely', 'kysely/*', 'node:sqlite', 'pg', 'pg/*', 'pg-*']),
  onlyIn('http/ and app.ts', ['http/*', 'app.ts'], ['fastify', 'fastify/*', '@fastify/*']),
  onlyIn(
    'http/, app.ts and metrics/metrics-listener.ts',
    ['http/*', 'app.ts', 'metrics/metrics-listener.ts'],
    ['node:http'],
  ),
  onlyIn('metrics/', ['metrics/*'], ['prom-client']),
  onlyIn('tracing/', ['tracing/*'], ['@opentelemetry/*']),
  onlyIn(
    'http/, app.ts and the files that work with addresses, ports and sockets',
    [
      'http/*',
      'app.ts',
      'applications/allowed-addresses.ts',
      'machine/network-fault.ts',
      'settings/setting-values.ts',
      'metrics/metrics-listener.ts',
      'workers/free-port.ts',
      'machine/probe-address.ts',
      'database/postgres/connections/corked-socket.ts',
    ],
    ['node:net'],
  ),
  onlyIn('pipeline/', ['pipeline/*'], ['fast-json-stringify', 'lru-cache']),
  onlyIn('database/postgres/', ['database/postgres/*'], ['dataloader']),
];

/** Forbids these libraries to every file of the server except the named ones. */
function onlyIn(name: string, home: readonly string[], libraries: readonly string[]): ImportRule {
  const rule = { name: `a file of the server outside ${name}`, guarded: libraries, allowed: [] };
  return { ...rule, files: [inServer('*')], except: home.map(inServer) };
}

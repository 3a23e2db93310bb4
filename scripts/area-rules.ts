import type { ImportRule } from './import-rules.ts';

interface Area {
  readonly files: readonly string[];
  readonly except?: readonly string[];
  readonly allowed: readonly string[];
}

/** The files that choose an engine, or move a directory between engines. */
const databaseInterface = [
  'database/database.ts',
  'database/actor.ts',
  'database/applications.ts',
  'database/bookkeeping.ts',
  'database/call-records.ts',
  'database/claims.ts',
  'database/directory-importer.ts',
  'database/user-management.ts',
  'database/binding-targets.ts',
  'database/directory-lists.ts',
  'database/operators.ts',
  'database/password-failures.ts',
  'database/records.ts',
  'database/errors.ts',
  'database/user-columns.ts',
];

const readinessCheck = 'readiness/readiness-check.ts';

/** Knowledge of one process that its siblings under the supervisor share. */
const primaryHistory = 'database/postgres/primary-history.ts';

const engineChoosers = ['open', 'copy', 'migrate'].map((work) => `admin/${work}-directory.ts`);

/** The areas of the server, and what each may import from the others. */
const areas: Readonly<Record<string, Area>> = {
  'index.ts': {
    files: ['index.ts', 'admin/index.ts'],
    allowed: [
      'main.ts',
      'workers/*',
      'admin/*',
      'applications/*',
      'config.ts',
      'exact-json.ts',
      // The errors that a command catches, without the code that throws them.
      'database/database.ts',
      'database/migrations/migrate.ts',
    ],
  },
  'workers/': { files: ['workers/*'], allowed: ['workers/*', 'main.ts', 'config.ts', primaryHistory] },
  'main.ts': {
    files: ['main.ts', 'log-output.ts', 'readable-log-line.ts', 'bounded-writer.ts'],
    allowed: [
      'app.ts',
      'admin/open-directory.ts',
      'config.ts',
      'log-output.ts',
      'logger.ts',
      'readable-log-line.ts',
      'bounded-writer.ts',
      primaryHistory,
    ],
  },
  'app.ts': {
    files: ['app.ts', 'claims-upkeep.ts'],
    allowed: [
      'claims-upkeep.ts',
      'http/*',
      'pipeline.ts',
      'pipeline/*',
      'applications/*',
      'console/*',
      'directory/*',
      'own-release.ts',
      'passwords/*',
      'readiness/*',
      'config.ts',
      'deadline.ts',
      'logger.ts',
      'database/database.ts',
    ],
  },
  'http/': {
    files: ['http/*'],
    allowed: [
      'http/*',
      'console/console-call.ts',
      'console/run-console-call.ts',
      'pipeline/call.ts',
      'pipeline/failed-call.ts',
      'pipeline/present-answer.ts',
      'pipeline/to-failure.ts',
      'api-error.ts',
      'config.ts',
      ...['exact-json.ts', 'logger.ts', 'own-files.ts'],
      'readiness/readiness.ts',
      'database/database.ts',
    ],
  },
  'the pipeline': {
    files: ['pipeline.ts', 'pipeline/*'],
    allowed: [
      'pipeline/*',
      'operations/*',
      'directory/*',
      'passwords/*',
      'applications/*',
      'database/database.ts',
      'api-error.ts',
      'config.ts',
      'deadline.ts',
      'exact-json.ts',
      'json/*',
      'turns/*',
    ],
  },
  'console/': {
    files: ['console/*'],
    allowed: [
      'console/*',
      'pipeline/*',
      'applications/*',
      'passwords/*',
      'database/database.ts',
      'api-error.ts',
      'deadline.ts',
      'logger.ts',
    ],
  },
  'operations/': {
    files: ['operations/*'],
    allowed: [
      'operations/*',
      'directory/*',
      'passwords/*',
      'database/database.ts',
      'api-error.ts',
      'turns/*',
    ],
  },
  'directory/': {
    files: ['directory/*'],
    allowed: [
      'directory/*',
      'passwords/*',
      'database/database.ts',
      'database/user-columns.ts',
      'api-error.ts',
      'turns/*',
    ],
  },
  'passwords/': {
    files: ['passwords/*'],
    allowed: ['passwords/*', 'database/database.ts', 'api-error.ts', 'own-files.ts', 'turns/*'],
  },
  'applications/': {
    files: ['applications/*'],
    allowed: ['applications/*', 'database/database.ts', 'make-data-folder.ts'],
  },
  'a file that chooses the engine': {
    files: engineChoosers,
    allowed: ['admin/*', 'applications/*', 'config.ts', 'database/*'],
  },
  'admin/': {
    files: ['admin/*'],
    except: [...engineChoosers, 'admin/index.ts'],
    allowed: [
      'admin/*',
      'applications/*',
      'config.ts',
      'console/operator-links.ts',
      'exact-json.ts',
      'database/database.ts',
    ],
  },
  'the interface of the database': {
    files: databaseInterface,
    allowed: [...databaseInterface, readinessCheck, 'deadline.ts'],
  },
  'readiness/': { files: ['readiness/*'], allowed: ['readiness/*', 'database/database.ts'] },
  'database/queries/': {
    files: ['database/queries/*'],
    allowed: [
      'database/queries/*',
      'database/migrations/*',
      ...databaseInterface,
      'exact-json.ts',
      'turns/*',
    ],
  },
  'database/migrations/': {
    files: ['database/migrations/*'],
    allowed: ['database/migrations/*', 'database/queries/*'],
  },
  'database/sqlite/': {
    files: ['database/sqlite/*'],
    allowed: [
      'database/sqlite/*',
      'database/queries/*',
      'database/migrations/*',
      'database/database.ts',
      'database/copy-session.ts',
      'make-data-folder.ts',
      'deadline.ts',
      readinessCheck,
    ],
  },
  'database/postgres/': {
    files: ['database/postgres/*'],
    allowed: [
      'database/postgres/*',
      'database/queries/*',
      'database/migrations/*',
      'database/database.ts',
      'database/copy-session.ts',
      'deadline.ts',
      readinessCheck,
    ],
  },
  'database/copy-session.ts': {
    files: ['database/copy-session.ts'],
    allowed: ['database/queries/*', 'database/database.ts'],
  },
  'config.ts': {
    files: ['config.ts', 'setting-values.ts'],
    allowed: ['setting-values.ts', 'database/postgres/database-url.ts'],
  },
  'a foundation of the server': {
    files: [
      'api-error.ts',
      'deadline.ts',
      'exact-json.ts',
      'logger.ts',
      'make-data-folder.ts',
      'own-files.ts',
      'own-release.ts',
    ],
    allowed: ['own-files.ts'],
  },
  'json/': { files: ['json/*'], allowed: ['json/*', 'exact-json.ts'] },
  'turns/': { files: ['turns/*'], allowed: ['turns/*'] },
};

/** Rules between the areas of the server. No rule would apply to a file outside all areas. */
export const areaRules: readonly ImportRule[] = Object.entries(areas).map(
  ([name, { files, allowed, except = [] }]) => ({
    name,
    files: files.map(inServer),
    guarded: [inServer('*')],
    allowed: allowed.map(inServer),
    except: except.map(inServer),
  }),
);

/** Rules for libraries that one part of the server encapsulates. */
export const libraryRules: readonly ImportRule[] = [
  onlyIn('database/', ['database/*'], ['kysely', 'kysely/*', 'node:sqlite', 'pg', 'pg/*', 'pg-*']),
  onlyIn('http/ and app.ts', ['http/*', 'app.ts'], ['fastify', 'fastify/*', '@fastify/*', 'node:http']),
  onlyIn(
    'http/, app.ts, setting-values.ts and workers/free-port.ts',
    ['http/*', 'app.ts', 'setting-values.ts', 'workers/free-port.ts'],
    ['node:net'],
  ),
  onlyIn('pipeline/', ['pipeline/*'], ['fast-json-stringify', 'lru-cache']),
  onlyIn('database/postgres/', ['database/postgres/*'], ['dataloader']),
  onlyIn('admin/', ['admin/*'], ['csv-parse', 'csv-parse/*']),
];

/** Forbids these libraries to every file of the server except the named ones. */
function onlyIn(name: string, home: readonly string[], libraries: readonly string[]): ImportRule {
  const rule = { name: `a file of the server outside ${name}`, guarded: libraries, allowed: [] };
  return { ...rule, files: [inServer('*')], except: home.map(inServer) };
}

function inServer(path: string): string {
  return `packages/server/src/${path}`;
}

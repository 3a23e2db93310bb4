import {
  type Area,
  databaseAreas,
  databaseInterface,
  metricSource,
  readinessCheck,
  tracing,
} from './database-areas.ts';
import type { ImportRule } from './import-rules.ts';
import { processAreas } from './process-areas.ts';

const engineChoosers = [
  ...['open', 'copy', 'migrate', 'inspect'].map((work) => `admin/${work}-directory.ts`),
  'admin/backup/*',
];

/** The files that every area may import. They import nothing but each other. */
const importedAnywhere = [
  'errors/busy-error.ts',
  'errors/causes-of.ts',
  'errors/expected-error.ts',
  'errors/operator-error.ts',
  'logging/at-most-every.ts',
  'logging/notice.ts',
];

/** The areas of the server, and what each may import from the others. */
const areas: Readonly<Record<string, Area>> = {
  ...processAreas,
  'http/': {
    files: ['http/*'],
    allowed: [
      'http/*',
      'call-records/*',
      'console/console-call.ts',
      'console/run-console-call.ts',
      'pipeline/call.ts',
      'pipeline/failures/failed-call.ts',
      'pipeline/failures/refuses-caller.ts',
      'pipeline/steps/present-answer.ts',
      'pipeline/failures/to-failure.ts',
      'errors/api-error.ts',
      'config.ts',
      'json/exact-json.ts',
      'logging/logger.ts',
      'own-files.ts',
      'readiness/readiness.ts',
      'database/database.ts',
      'fairness/*',
      'slices/time-slice.ts',
      'time/thread-ms.ts',
      'time/within-ms.ts',
      ...metricSource,
      tracing,
    ],
  },
  'the pipeline': {
    files: ['pipeline.ts', 'pipeline/*'],
    allowed: [
      'pipeline/*',
      'call-records/*',
      'operations/*',
      'directory/*',
      'passwords/*',
      'rates/*',
      'applications/*',
      'database/database.ts',
      'fairness/*',
      'errors/api-error.ts',
      'config.ts',
      'time/deadline.ts',
      'time/read-date.ts',
      'time/thread-ms.ts',
      'time/within-ms.ts',
      'json/*',
      'slices/*',
      'metrics/fair-queue-metrics.ts',
      ...metricSource,
      tracing,
    ],
  },
  'call-records/': {
    files: ['call-records/*'],
    allowed: ['call-records/*', 'database/database.ts', 'upkeep/periodic-task.ts', 'upkeep/steady-clock.ts'],
  },
  'console/': {
    files: ['console/*'],
    allowed: [
      'console/*',
      'call-records/*',
      'pipeline/*',
      'applications/*',
      'passwords/*',
      'database/database.ts',
      'operations/cursor.ts',
      'operations/list-users.ts',
      'operations/read-page.ts',
      'operations/user-filters.ts',
      'directory/invisible-character.ts',
      'directory/present-user.ts',
      'directory/profile-changes.ts',
      'directory/store-codes.ts',
      'directory/find-twin.ts',
      'directory/user-identity.ts',
      'settings/settings.ts',
      'http/network-of.ts',
      'errors/api-error.ts',
      'time/date-ms-max.ts',
      'time/deadline.ts',
      'time/within-ms.ts',
      'logging/logger.ts',
      'own-files.ts',
      'time/share-running.ts',
      'upkeep/periodic-task.ts',
      'upkeep/steady-clock.ts',
      'slices/*',
    ],
  },
  'operations/': {
    files: ['operations/*'],
    allowed: [
      'operations/*',
      'directory/*',
      'passwords/*',
      'database/database.ts',
      'errors/api-error.ts',
      'time/date-ms-max.ts',
      'time/read-date.ts',
      'slices/*',
      'words/counted.ts',
    ],
  },
  'directory/': {
    files: ['directory/*'],
    allowed: [
      'directory/*',
      'passwords/*',
      'database/database.ts',
      'database/user-columns.ts',
      'errors/api-error.ts',
      'slices/*',
      'words/counted.ts',
    ],
  },
  'passwords/': {
    files: ['passwords/*'],
    allowed: [
      'passwords/*',
      'fairness/*',
      'database/database.ts',
      'errors/api-error.ts',
      'own-files.ts',
      'slices/*',
      ...metricSource,
      tracing,
    ],
  },
  'rates/': {
    files: ['rates/*'],
    allowed: [
      'rates/*',
      'applications/loaded-application.ts',
      'database/database.ts',
      'errors/api-error.ts',
      'upkeep/periodic-task.ts',
    ],
  },
  'applications/': {
    files: ['applications/*'],
    allowed: [
      'applications/*',
      'database/database.ts',
      'machine/closed-folder-above.ts',
      'machine/give-new-file.ts',
      'machine/make-data-folder.ts',
      'machine/network-fault.ts',
      'machine/open-flags.ts',
      'machine/sync-folder.ts',
      'upkeep/periodic-task.ts',
      'words/quote-for-shell.ts',
      ...metricSource,
    ],
  },
  'a file that chooses the engine': {
    files: engineChoosers,
    allowed: [
      'admin/*',
      'applications/*',
      'config.ts',
      'database/*',
      'logging/logger.ts',
      'machine/closed-folder-above.ts',
      'machine/make-data-folder.ts',
      'machine/open-flags.ts',
      'machine/sync-folder.ts',
      'upkeep/periodic-task.ts',
      'words/quote-for-shell.ts',
    ],
  },
  'admin/': {
    files: ['admin/*'],
    except: [...engineChoosers, 'admin/index.ts'],
    allowed: [
      'admin/*',
      'applications/*',
      'config.ts',
      'console/sign-in/operator-links.ts',
      'passwords/hashes/argon2.ts',
      'directory/find-twin.ts',
      'directory/invisible-character.ts',
      'directory/new-store-code.ts',
      'directory/quote-visibly.ts',
      // The doctor shows how many connections serve would accept.
      'http/body/body-memory.ts',
      'http/limits/connection-limit.ts',
      'json/exact-json.ts',
      'database/database.ts',
      'machine/closed-folder-above.ts',
      'words/counted.ts',
      'words/quote-for-shell.ts',
    ],
  },
  'the interface of the database': {
    files: databaseInterface,
    allowed: [...databaseInterface, ...metricSource, readinessCheck, 'time/deadline.ts'],
  },
  'readiness/': {
    files: ['readiness/*'],
    allowed: ['readiness/*', 'database/database.ts', 'time/within-ms.ts'],
  },
  ...databaseAreas,
  'config.ts': {
    files: ['config.ts', 'settings/*'],
    allowed: ['settings/*', 'database/postgres/connections/database-url.ts', 'machine/network-fault.ts'],
  },
  'a foundation of the server': {
    files: [...importedAnywhere, 'errors/*', 'machine/*', 'own-files.ts', 'time/*', 'words/*'],
    allowed: ['machine/raise-open-files.ts'],
  },
  'upkeep/': {
    files: ['upkeep/*'],
    allowed: ['upkeep/*', 'database/database.ts', 'logging/logger.ts', ...metricSource],
  },
  'fairness/': { files: ['fairness/*'], allowed: ['fairness/*'] },
  'tracing/': { files: ['tracing/*'], allowed: ['tracing/*', 'time/within-ms.ts'] },
  'json/': { files: ['json/*'], allowed: ['json/*'] },
  'logging/': {
    files: ['logging/*'],
    except: ['logging/at-most-every.ts', 'logging/notice.ts'],
    allowed: ['logging/*', 'time/within-ms.ts'],
  },
  'slices/': { files: ['slices/*'], allowed: ['slices/*'] },
};

/** Rules between the areas of the server. No rule would apply to a file outside all areas. */
export const areaRules: readonly ImportRule[] = Object.entries(areas).map(
  ([name, { files, allowed, except = [] }]) => ({
    name,
    files: files.map(inServer),
    guarded: [inServer('*')],
    allowed: [...importedAnywhere, ...allowed].map(inServer),
    except: except.map(inServer),
  }),
);

/** Returns the path of a server's file or pattern from the root. */
export function inServer(path: string): string {
  return `packages/server/src/${path}`;
}

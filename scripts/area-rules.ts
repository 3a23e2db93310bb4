import {
  type Area,
  databaseAreas,
  databaseInterface,
  metricSource,
  readinessCheck,
  tracing,
} from './database-areas.ts';
import type { ImportRule } from './import-rules.ts';

/** Knowledge of one process that its siblings under the supervisor share. */
const primaryHistory = 'database/postgres/primary-history.ts';

const metricSnapshot = 'metrics/metric-snapshot.ts';

const workerReports = 'rates/worker-reports.ts';

const engineChoosers = [
  ...['open', 'copy', 'migrate', 'inspect'].map((work) => `admin/${work}-directory.ts`),
  'admin/backup/*',
];

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
  'workers/': {
    files: ['workers/*'],
    allowed: [
      'workers/*',
      'main.ts',
      'config.ts',
      'metrics/start-metrics.ts',
      metricSnapshot,
      primaryHistory,
      workerReports,
      'database/database.ts',
    ],
  },
  'metrics/': {
    files: ['metrics/*'],
    allowed: ['metrics/*', 'http/call-observer.ts', 'listen-error.ts'],
  },
  'main.ts': {
    files: ['main.ts', 'log-output.ts', 'readable-log-line.ts', 'bounded-writer.ts'],
    allowed: [
      'app.ts',
      'admin/open-directory.ts',
      'admin/backup/*',
      'applications/key-upkeep.ts',
      'console/deployment.ts',
      'config.ts',
      'database/database.ts',
      'listen-error.ts',
      'log-output.ts',
      'metrics/*',
      'tracing/start-tracing.ts',
      'logger.ts',
      'readable-log-line.ts',
      'bounded-writer.ts',
      primaryHistory,
      workerReports,
    ],
  },
  'app.ts': {
    files: ['app.ts', 'audit-upkeep.ts', 'claims-upkeep.ts'],
    allowed: [
      'audit-upkeep.ts',
      'claims-upkeep.ts',
      'call-records/*',
      'http/*',
      'pipeline.ts',
      'pipeline/*',
      'applications/*',
      'console/*',
      'directory/*',
      'own-release.ts',
      'passwords/*',
      'periodic-task.ts',
      'rates/*',
      'readiness/*',
      'config.ts',
      'deadline.ts',
      'logger.ts',
      'database/database.ts',
      'fairness/*',
      ...metricSource,
    ],
  },
  'http/': {
    files: ['http/*'],
    allowed: [
      'http/*',
      'call-records/*',
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
      'fairness/*',
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
      'api-error.ts',
      'config.ts',
      'deadline.ts',
      'exact-json.ts',
      'expected-error.ts',
      'json/*',
      'turns/*',
      ...metricSource,
      tracing,
    ],
  },
  'call-records/': { files: ['call-records/*'], allowed: ['call-records/*', 'database/database.ts'] },
  'console/': {
    files: ['console/*'],
    allowed: [
      'console/*',
      'call-records/*',
      'pipeline/*',
      'applications/*',
      'passwords/*',
      'database/database.ts',
      'operations/page.ts',
      'directory/user-identity.ts',
      'settings/settings.ts',
      'api-error.ts',
      'date-ms-max.ts',
      'deadline.ts',
      'logger.ts',
      'own-release.ts',
      'periodic-task.ts',
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
      'date-ms-max.ts',
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
    allowed: [
      'passwords/*',
      'fairness/*',
      'database/database.ts',
      'api-error.ts',
      'own-files.ts',
      'turns/*',
      ...metricSource,
      tracing,
    ],
  },
  'rates/': {
    files: ['rates/*'],
    allowed: [
      'rates/*',
      'applications/application-directory.ts',
      'database/database.ts',
      'api-error.ts',
      'periodic-task.ts',
    ],
  },
  'applications/': {
    files: ['applications/*'],
    allowed: ['applications/*', 'database/database.ts', 'make-data-folder.ts', ...metricSource],
  },
  'a file that chooses the engine': {
    files: engineChoosers,
    allowed: [
      'admin/*',
      'applications/*',
      'config.ts',
      'database/*',
      'logger.ts',
      'make-data-folder.ts',
      'periodic-task.ts',
    ],
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
    allowed: [...databaseInterface, ...metricSource, readinessCheck, 'deadline.ts', 'expected-error.ts'],
  },
  'readiness/': { files: ['readiness/*'], allowed: ['readiness/*', 'database/database.ts'] },
  ...databaseAreas,
  'config.ts': {
    files: ['config.ts', 'settings/*'],
    allowed: ['settings/*', 'database/postgres/database-url.ts'],
  },
  'a foundation of the server': {
    files: [
      'api-error.ts',
      'date-ms-max.ts',
      'deadline.ts',
      'exact-json.ts',
      'expected-error.ts',
      'listen-error.ts',
      'logger.ts',
      'make-data-folder.ts',
      'own-files.ts',
      'own-release.ts',
      'periodic-task.ts',
    ],
    allowed: ['expected-error.ts', 'own-files.ts'],
  },
  'fairness/': { files: ['fairness/*'], allowed: ['fairness/*', 'database/errors.ts'] },
  'tracing/': { files: ['tracing/*'], allowed: ['tracing/*'] },
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

/** Returns the path of a server's file or pattern from the root. */
export function inServer(path: string): string {
  return `packages/server/src/${path}`;
}

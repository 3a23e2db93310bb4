import type { Kysely } from 'kysely';
import type { Engine } from '../queries/session.ts';
import { onPostgres } from './bookkeeping-steps.ts';
import { initial } from './steps/001-initial.ts';
import { createBookkeepingTables } from './steps/002-bookkeeping.ts';
import { addBackupTables } from './steps/003-backup.ts';
import { keyHolders } from './steps/004-keys.ts';
import { credentials } from './steps/005-credentials.ts';
import { operators } from './steps/007-operators.ts';
import { rateReports } from './steps/008-rate-reports.ts';
import { createEntryCountTable } from './steps/009-entry-count.ts';
import { addOperatorEventActor } from './steps/010-operator-event-actor.ts';
import { addOperatorLinkMaker } from './steps/011-operator-link-maker.ts';
import { userChange } from './steps/012-user-change.ts';
import { addSessionOrigin } from './steps/013-session-origin.ts';
import { createSessionEndTable } from './steps/014-session-end.ts';
import { addProcessClock } from './steps/015-process-clock.ts';

/** Changes the tables. It may only add to them, because processes of the previous release are still running. */
export type MigrationStep = (db: Kysely<unknown>, engine: Engine['name']) => Promise<void>;

/** One change to the tables. */
export interface Migration {
  readonly up: MigrationStep;
  /**
   * The oldest release that can serve tables with this change, named by its last migration. A change that only adds
   * things that the previous release never looks at keeps the value of the change before it. A change that no earlier
   * release can serve names itself.
   */
  readonly servesFrom: string;
}

export type Migrations = Readonly<Record<string, Migration>>;

/** All changes to the tables, in order. A released one is never edited; a new one follows it. */
export const migrations: Migrations = {
  '001-initial': { up: initial, servesFrom: '001-initial' },
  '002-bookkeeping': { up: onPostgres(createBookkeepingTables), servesFrom: '002-bookkeeping' },
  '003-backup': { up: addBackupTables, servesFrom: '002-bookkeeping' },
  // Earlier releases cannot open secrets that name their key.
  '004-keys': { up: keyHolders, servesFrom: '004-keys' },
  // An earlier release would let an application call from anywhere, and after its end.
  '005-credentials': { up: credentials, servesFrom: '005-credentials' },
  // There is no 006. The numbers in bookkeeping-steps.ts are a separate series.
  '007-operators': { up: operators, servesFrom: '001-initial' },
  '008-rate-reports': { up: rateReports, servesFrom: '001-initial' },
  '009-entry-count': { up: onPostgres(createEntryCountTable), servesFrom: '001-initial' },
  '010-operator-event-actor': { up: addOperatorEventActor, servesFrom: '001-initial' },
  '011-operator-link-maker': { up: addOperatorLinkMaker, servesFrom: '001-initial' },
  // Earlier releases can serve it, but they sort all users for a list by change.
  '012-user-change': { up: userChange, servesFrom: '001-initial' },
  '013-session-origin': { up: onPostgres(addSessionOrigin), servesFrom: '001-initial' },
  '014-session-end': { up: onPostgres(createSessionEndTable), servesFrom: '001-initial' },
  '015-process-clock': { up: addProcessClock, servesFrom: '001-initial' },
};

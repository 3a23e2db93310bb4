import {
  type Actor,
  hashKeySetting,
  type KeyHolder,
  type KeyHolders,
  type KeyReport,
  type Keys,
  keyIdOfProof,
  keyProofSettings,
  type ResealedValue,
  type SealedValue,
  type SecondFactorColumn,
  type StoredKeys,
} from '../../database.ts';
import { refuseNewerTables } from '../../migrations/refuse-newer-tables.ts';
import { recordUnsignedChangeForAll } from '../record-unsigned-change.ts';
import type { Schema } from '../schema.ts';
import type { Session, Transact } from '../session.ts';
import { changeSetting, lockKeys, readStoredKeys } from './key-settings.ts';

interface Parts {
  /** For reading. */
  readonly session: Session;
  readonly transact: Transact;
  /** Reads the clock that dates the reports, in Unix milliseconds. */
  readonly timeMs: () => Promise<number>;
  /** See `Claims.clockDifferenceMs`. */
  readonly clockDifferenceMs: () => number | undefined;
}

const secondFactorColumns: readonly SecondFactorColumn[] = ['totp_sealed', 'totp_pending'];

/** A process that has not reported for this long has ended; the next report deletes its row. */
const forgetAfterMs = 24 * 3_600_000;

/** The master keys as the database knows them, on either engine. */
export class KyselyKeys implements Keys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  stored(): Promise<StoredKeys> {
    return readStoredKeys(this.#parts.session);
  }

  async report(report: KeyReport): Promise<StoredKeys> {
    const times = await this.#readTimes();
    const nowMs = Number(times.seen_at);
    return this.#parts.transact(async (session) => {
      // Without the lock, the current key could change between the report and the reading below it.
      await lockKeys(session);
      await upsertHolder(session, report, times);
      await session.db
        .deleteFrom('key_holder')
        .where((eb) =>
          eb.or([
            eb('seen_at', '<', BigInt(nowMs - forgetAfterMs)),
            // Dated by a clock that has since been set back.
            eb('seen_at', '>', BigInt(nowMs + forgetAfterMs)),
          ]),
        )
        .execute();
      return readStoredKeys(session);
    });
  }

  async noteAlive(processId: string): Promise<boolean> {
    const times = await this.#readTimes();
    return this.#parts.transact(async ({ db }) => {
      const noted = await db
        .updateTable('key_holder')
        .set(times)
        .where('process_id', '=', processId)
        .returning('process_id')
        .executeTakeFirst();
      return noted !== undefined;
    });
  }

  forget(processId: string): Promise<void> {
    return this.#parts.transact(async ({ db }) => {
      await db.deleteFrom('key_holder').where('process_id', '=', processId).execute();
    });
  }

  async holders(): Promise<KeyHolders> {
    const nowMs = await this.#parts.timeMs();
    return { holders: await selectHolders(this.#parts.session), nowMs };
  }

  announce(choose: (stored: StoredKeys) => string): Promise<StoredKeys> {
    return this.#parts.transact(async (session) => {
      await lockKeys(session);
      const stored = await readStoredKeys(session);
      if (stored.previous !== undefined) return stored;
      const next = choose(stored);
      await changeSetting(session, keyProofSettings.next, next);
      return { ...stored, next };
    });
  }

  async makeNextCurrent(
    next: string,
    mayChange: (reports: KeyHolders) => boolean,
    actor?: Actor,
  ): Promise<boolean> {
    const nowMs = await this.#parts.timeMs();
    return this.#parts.transact(async (session) => {
      await lockKeys(session);
      const stored = await readStoredKeys(session);
      if (stored.current === next) return true;
      if (stored.next !== next || stored.current === undefined) return false;
      if (!mayChange({ holders: await selectHolders(session), nowMs })) return false;
      await changeSetting(session, keyProofSettings.current, next);
      await changeSetting(session, keyProofSettings.previous, stored.current);
      await changeSetting(session, keyProofSettings.next, undefined);
      const changes = { key_id: keyIdOfProof(next), previous_key_id: keyIdOfProof(stored.current) };
      await recordUnsignedChangeForAll(session, { nowMs, operation: 'key rotate', changes, actor });
      return true;
    });
  }

  async listSealed(): Promise<SealedValue[]> {
    const { db } = this.#parts.session;
    const secrets = await db
      .selectFrom('application_secret')
      .select(['id', 'app_id', 'sealed'])
      .orderBy('id')
      .execute();
    const operators = await db
      .selectFrom('operator')
      .select(['id', ...secondFactorColumns])
      .orderBy('id')
      .execute();
    const setting = await db
      .selectFrom('setting')
      .select('value')
      .where('name', '=', hashKeySetting)
      .executeTakeFirst();
    const secondFactors = operators.flatMap((row) =>
      secondFactorColumns.flatMap((column) => {
        const sealed = row[column];
        return sealed === null ? [] : [{ place: { operatorId: row.id, column }, sealed }];
      }),
    );
    return [
      ...(setting === undefined
        ? []
        : [{ place: { setting: hashKeySetting }, sealed: Buffer.from(setting.value, 'base64') }]),
      ...secrets.map(({ id, app_id, sealed }) => ({ place: { secretId: id, appId: app_id }, sealed })),
      ...secondFactors,
    ];
  }

  reseal(values: readonly ResealedValue[]): Promise<number> {
    return this.#parts.transact(async (session) => {
      let replaced = 0;
      for (const value of values) if (await replaceSealed(session, value)) replaced += 1;
      return replaced;
    });
  }

  async dropPrevious(actor?: Actor): Promise<boolean> {
    const nowMs = await this.#parts.timeMs();
    return this.#parts.transact(async (session) => {
      await lockKeys(session);
      const { previous } = await readStoredKeys(session);
      if (previous === undefined) return false;
      await refuseNewerTables(session, 'secrets that it added may still need the previous key');
      await changeSetting(session, keyProofSettings.previous, undefined);
      const changes = { previous_key_id: keyIdOfProof(previous) };
      await recordUnsignedChangeForAll(session, { nowMs, operation: 'key rotate --finish', changes, actor });
      return true;
    });
  }

  /** Reading the database's clock measures the difference from it too. */
  async #readTimes(): Promise<ReportTimes> {
    const nowMs = await this.#parts.timeMs();
    const differenceMs = this.#parts.clockDifferenceMs();
    return {
      seen_at: BigInt(nowMs),
      clock_difference_ms: differenceMs === undefined ? null : BigInt(Math.round(differenceMs)),
    };
  }
}

type ReportTimes = Pick<Schema['key_holder'], 'seen_at' | 'clock_difference_ms'>;

async function upsertHolder({ db }: Session, report: KeyReport, times: ReportTimes): Promise<void> {
  const { processId, host, pid, place, keyIds } = report;
  const reported = { key_ids: JSON.stringify(keyIds), ...times };
  await db
    .insertInto('key_holder')
    .values({ process_id: processId, host, pid: BigInt(pid), place, ...reported })
    .onConflict((conflict) => conflict.column('process_id').doUpdateSet(reported))
    .execute();
}

/** Returns what each process has reported about its keys. */
export async function selectHolders({ db }: Session): Promise<KeyHolder[]> {
  const rows = await db
    .selectFrom('key_holder')
    .select(['process_id', 'host', 'pid', 'place', 'key_ids', 'seen_at'])
    .orderBy('process_id')
    .execute();
  return rows.map((row) => ({
    processId: row.process_id,
    host: row.host,
    pid: Number(row.pid),
    place: row.place,
    keyIds: JSON.parse(row.key_ids) as string[],
    seenAtMs: Number(row.seen_at),
  }));
}

/**
 * Compares before it replaces, because the secrets of applications and operators may have changed since they were read.
 */
async function replaceSealed({ db }: Session, { place, sealed, resealed }: ResealedValue): Promise<boolean> {
  if ('setting' in place) {
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
    const row = await db
      .updateTable('setting')
      .set({ value: text(resealed) })
      .where('name', '=', place.setting)
      .where('value', '=', text(sealed))
      .returning('name')
      .executeTakeFirst();
    return row !== undefined;
  }
  if ('operatorId' in place) {
    const row = await db
      .updateTable('operator')
      .set({ [place.column]: resealed })
      .where('id', '=', place.operatorId)
      .where(place.column, '=', sealed)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }
  const row = await db
    .updateTable('application_secret')
    .set({ sealed: resealed })
    .where('id', '=', place.secretId)
    .where('sealed', '=', sealed)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

import type { Operations } from '@fieldroster/contract';
import { compareCodePoints } from '@fieldroster/contract/characters';
import type { DirectoryReader, DirectoryWriter } from '../database/database.ts';
import { type BatchEntry, type RefusedEntry, readBatch, usernamesOf } from '../directory/batch-entries.ts';
import { checkReferences } from '../directory/batch-references.ts';
import { countOutcomes, type PlannedEntry, presentBatch } from '../directory/present-batch.ts';
import { describeStores } from '../directory/profile-changes.ts';
import { countStoresBefore, type StoresBefore } from '../directory/taken-stores.ts';
import { planUser } from '../directory/user-entry.ts';
import { type SliceLimits, slicesOf } from '../slices/slices-of.ts';
import { nextSlice, TimeSlice } from '../slices/time-slice.ts';
import type { Effect, Handler, PasswordWork } from './handler.ts';

export const batchUsers: Handler<Operations['batchUsers']> = async (
  input,
  { scope, directory, dryRunMany, writeMany, passwords },
) => {
  const { entries, refused } = await readBatch(input.users);
  const before = await countStoresBefore(directory.users, entries, new TimeSlice(nextSlice));
  if (input.dry_run === true || (input.atomic === true && refused.length > 0)) {
    return dryRunMany(before.taken, async () => {
      const trial = await workOn(directory, withoutHashing(entries), before, planning);
      const failed = [...refused, ...trial.refused];
      return presentBatch({ applied: false, scope }, trial.planned, failed, new TimeSlice(nextSlice));
    });
  }
  const hashed = await hashPasswords(entries, passwords);
  try {
    return await writeMany(before.taken, async (writer, requireTimeFor) => {
      // Others may have bound more stores while this write waited.
      const locked = await countStoresBefore(writer.users, hashed, new TimeSlice());
      requireTimeFor(locked.taken);
      const done = await workOn(writer, hashed, locked, applying);
      const failed = [...refused, ...done.refused];
      if (input.atomic === true && failed.length > 0) throw new NothingKept(done.planned, failed);
      return {
        result: await presentBatch({ applied: true, scope }, done.planned, failed, new TimeSlice()),
        changes: { ...countOutcomes(done.planned), failed: failed.length },
        more: done.planned.filter(({ plan }) => plan.outcome !== 'unchanged').map(effectOf),
      };
    });
  } catch (error) {
    if (!(error instanceof NothingKept)) throw error;
    const { planned, refused } = error;
    return presentBatch({ applied: false, scope }, planned, refused, new TimeSlice(nextSlice));
  }
};

/** Thrown to undo the transaction, including the claim; carries the outcomes for the answer. */
class NothingKept extends Error {
  readonly planned: readonly PlannedEntry[];
  readonly refused: readonly RefusedEntry[];

  constructor(planned: readonly PlannedEntry[], refused: readonly RefusedEntry[]) {
    super('an entry of an atomic batch failed');
    this.planned = planned;
    this.refused = refused;
  }
}

interface Work<Directory> {
  readonly run: (
    directory: Directory,
    slice: readonly BatchEntry[],
    timeSlice: TimeSlice,
  ) => Promise<PlannedEntry[]>;
  readonly newTimeSlice: () => TimeSlice;
}

const planning: Work<DirectoryReader> = { run: planSlice, newTimeSlice: () => new TimeSlice(nextSlice) };

const applying: Work<DirectoryWriter> = { run: applySlice, newTimeSlice: () => new TimeSlice() };

/**
 * Processes the entries in slices. Other requests of the process run in between: reads go on while a write's
 * transaction is open.
 */
async function workOn<Directory extends DirectoryReader>(
  directory: Directory,
  entries: readonly BatchEntry[],
  before: StoresBefore,
  { run, newTimeSlice }: Work<Directory>,
) {
  const timeSlice = newTimeSlice();
  const { known, refused } = await checkReferences(directory.users, entries, timeSlice);
  const planned: PlannedEntry[] = [];
  // In the order in which each statement locks users, so that two batches cannot deadlock.
  for (const slice of slicesOf(known.toSorted(byUsername), workSlice(before))) {
    if (planned.length > 0) await timeSlice.next();
    for (const entry of await run(directory, slice, timeSlice)) planned.push(entry);
  }
  return { planned, refused };
}

function byUsername(a: BatchEntry, b: BatchEntry): number {
  return compareCodePoints(a.username, b.username);
}

/** A few milliseconds' worth of work: a number of entries and the weight of their texts and stores. */
function workSlice({ counts }: StoresBefore): SliceLimits<BatchEntry> {
  const weightOf = (entry: BatchEntry) => weigh(entry, counts.get(entry.username));
  return { countMax: 250, weightMax: 32 * 1024, weightOf };
}

/** Binding or unbinding a store takes as long as saving a dozen characters. */
const storeWeight = 13;

function weigh({ sent, storeCodes = [] }: BatchEntry, storesBefore = 0): number {
  let weight = Math.max(storeCodes.length, storesBefore) * storeWeight;
  for (const value of Object.values(sent)) if (typeof value === 'string') weight += value.length;
  return weight;
}

async function planSlice(
  { users }: DirectoryReader,
  slice: readonly BatchEntry[],
  timeSlice: TimeSlice,
): Promise<PlannedEntry[]> {
  const replacing = slice.filter(({ storeCodes }) => storeCodes !== undefined);
  const states = await users.readStates(usernamesOf(slice), new Set(usernamesOf(replacing)));
  const planned: PlannedEntry[] = [];
  for (const entry of slice) {
    const state = states.get(entry.username);
    const plan = await planUser(entry, state, timeSlice);
    planned.push({ index: entry.index, plan, ...(state && { id: state.user.id }) });
  }
  return planned;
}

async function applySlice(
  directory: DirectoryWriter,
  slice: readonly BatchEntry[],
  timeSlice: TimeSlice,
): Promise<PlannedEntry[]> {
  const planned = await planSlice(directory, slice, timeSlice);
  const changing = planned.filter(({ plan }) => plan.outcome !== 'unchanged');
  const ids = await directory.users.saveUsers(changing.map(({ plan }) => plan));
  const done = planned.flatMap((entry) => {
    const id = entry.id ?? ids.get(entry.plan.username);
    return id === undefined ? [] : [{ ...entry, id }];
  });
  if (done.length === slice.length) return done;
  // Another process created these users between the two statements; its transaction has ended by now.
  const doneIndexes = new Set(done.map(({ index }) => index));
  const left = slice.filter(({ index }) => !doneIndexes.has(index));
  return [...done, ...(await applySlice(directory, left, timeSlice))];
}

function effectOf({ id, plan }: PlannedEntry): Effect {
  const { changes, storesAdded: added, storesRemoved: removed } = plan;
  const stores = describeStores({ added, removed });
  return { ...(id !== undefined && { userId: id }), changes: { ...changes, ...stores } };
}

/**
 * Gives entries an empty hash in place of hashing. Nothing is kept, so it only shows that a password would be set or replaced.
 */
function withoutHashing(entries: readonly BatchEntry[]): BatchEntry[] {
  return entries.map((entry) => (entry.password === undefined ? entry : withHash(entry, '')));
}

const hashedAtOnce = 4;

/**
 * Hashes a few passwords at once, before the transaction, so that neither it nor other callers wait for all of them.
 */
async function hashPasswords(entries: readonly BatchEntry[], passwords: PasswordWork): Promise<BatchEntry[]> {
  const hashed = [...entries];
  const open = entries.flatMap(({ password }, position) =>
    password === undefined ? [] : [{ position, password }],
  );
  for (let start = 0; start < open.length; start += hashedAtOnce) {
    const group = open.slice(start, start + hashedAtOnce);
    const hashes = await Promise.all(group.map(({ password }) => passwords.hash(password)));
    for (const [offset, { position }] of group.entries()) {
      hashed[position] = withHash(entries[position] as BatchEntry, hashes[offset] as string);
    }
  }
  return hashed;
}

function withHash(entry: BatchEntry, passwordHash: string): BatchEntry {
  return { ...entry, sent: { ...entry.sent, passwordHash } };
}

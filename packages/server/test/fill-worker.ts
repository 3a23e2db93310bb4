import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { fillFolder } from '../src/admin/backup/fill-folder.ts';
import { ThreadMeeting } from './thread-meeting.ts';

/** The input of a thread that fills folders at the same time as others. */
export interface FillWork {
  /** The threads fill the folders `0` to `rounds - 1` in it, one after the other. */
  readonly parent: string;
  readonly rounds: number;
  readonly threads: number;
  /** The thread's name, which both of its databases contain. */
  readonly name: string;
  /** The shared counts of the threads' meeting. */
  readonly counts: Int32Array;
}

const { parent, rounds, threads, name, counts } = workerData as FillWork;
const work = { name: 'copy', verb: 'copy', what: 'the copy' };
const meeting = new ThreadMeeting(counts, threads);

function mark(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`create table mark (name text); insert into mark values ('${name}')`);
  database.close();
}

for (let round = 0; round < rounds; round++) {
  meeting.meet();
  const filled = fillFolder(join(parent, String(round)), work, async (draft) => {
    for (const file of ['fieldroster.db', 'fieldroster-bookkeeping.db']) mark(join(draft, file));
    meeting.meet();
  });
  const refused = await filled.then(
    () => undefined,
    (error: Error) => error.message,
  );
  parentPort?.postMessage({ name, round, refused });
  meeting.meet();
}

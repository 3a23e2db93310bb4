import { join } from 'node:path';
import type { Inspection } from '../database.ts';
import { refusingInspection } from '../queries/inspection/refusing-inspection.ts';
import { databaseFile } from './open.ts';

/** Stands for a database whose file is empty or missing. */
export function openLostInspection(folder: string): Inspection {
  return refusingInspection(
    { engine: 'sqlite', location: join(folder, databaseFile) },
    'is lost: the file is empty or missing, but files that belong to it are beside it',
  );
}

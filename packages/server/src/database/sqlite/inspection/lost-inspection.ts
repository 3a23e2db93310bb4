import { join } from 'node:path';
import type { Inspection } from '../../database.ts';
import { refusingInspection } from '../../queries/inspection/refusing-inspection.ts';
import { databaseFile } from '../open.ts';
import { findBookkeepingFault } from './database-faults.ts';

/** Stands in for a database whose file is empty or missing. */
export function openLostInspection(folder: string): Inspection {
  const place = { engine: 'sqlite', location: join(folder, databaseFile) } as const;
  return {
    ...refusingInspection(
      place,
      'is lost: the file is empty or missing, but files that belong to it are beside it',
    ),
    findBookkeepingFault: async (deep) => findBookkeepingFault(folder, deep),
  };
}

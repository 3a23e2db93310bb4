import type { CallFlags } from '../call/credentials.ts';
import type { Mappings } from './column-map.ts';

export interface ImportFlags extends CallFlags {
  readonly map?: Mappings;
  readonly ignoreUnknown?: true;
  readonly storeSeparator: string;
  readonly clearEmpty?: true;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly batchSize: number;
  readonly parallel: number;
  readonly dryRun?: true;
  readonly unchanged?: true;
  readonly result?: string;
  readonly restart?: true;
  readonly json?: true;
}

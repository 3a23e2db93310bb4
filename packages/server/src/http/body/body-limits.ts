import { limits, type Operation, operations } from '@fieldroster/contract';
import type { Settings } from '../../config.ts';

/** Returns the size of the largest body that any operation accepts, in bytes. */
export function largestBodyBytes(settings: Pick<Settings, 'bodyBytesMax' | 'batchBodyBytesMax'>): number {
  return Math.max(
    ...Object.values(operations).map((operation) => operationBodyLimit(operation, settings).bytesMax),
  );
}

/** The limit of a body, and the setting that changes it, if any. */
export interface BodyLimit {
  readonly bytesMax: number;
  readonly setting?: '--body-limit' | '--batch-body-limit';
}

/** The limit of the body of somebody without a session, who has nothing long to say and must not hold memory. */
export const visitorBodyLimit: BodyLimit = { bytesMax: 16 * 1024 };

/** Returns the limit of the body of an operation. */
export function operationBodyLimit(
  { bodyLimit }: Operation,
  settings: Pick<Settings, 'bodyBytesMax' | 'batchBodyBytesMax'>,
): BodyLimit {
  if (bodyLimit === undefined) return usualBodyLimit(settings);
  const { batchBodyBytesMax } = settings;
  const bytesMax =
    bodyLimit === 'bulk' ? Math.max(limits.bulkBodyBytesMax, batchBodyBytesMax) : batchBodyBytesMax;
  return { bytesMax, setting: '--batch-body-limit' };
}

/** Returns the limit of a body that no operation raises. */
export function usualBodyLimit({ bodyBytesMax }: Pick<Settings, 'bodyBytesMax'>): BodyLimit {
  return { bytesMax: bodyBytesMax, setting: '--body-limit' };
}

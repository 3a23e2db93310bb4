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

/** The limit of a body that is sent without a session: a sign-in needs little, and strangers must not hold memory. */
export function visitorBodyLimit({ bodyBytesMax }: Pick<Settings, 'bodyBytesMax'>): BodyLimit {
  return { bytesMax: Math.min(16 * 1024, bodyBytesMax) };
}

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

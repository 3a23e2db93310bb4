import { limits, type Operation, operations } from '@fieldroster/contract';
import type { Settings } from '../../config.ts';

/** Returns the size of the largest body that any operation accepts, in bytes. */
export function largestBodyBytes(settings: Pick<Settings, 'bodyBytesMax' | 'batchBodyBytesMax'>): number {
  return Math.max(
    ...Object.values(operations).map((operation) => operationBodyBytesMax(operation, settings)),
  );
}

/** Returns the size of the largest body that an operation accepts, in bytes. */
export function operationBodyBytesMax(
  { bodyLimit }: Operation,
  settings: Pick<Settings, 'bodyBytesMax' | 'batchBodyBytesMax'>,
): number {
  if (bodyLimit === 'bulk') return Math.max(limits.bulkBodyBytesMax, settings.batchBodyBytesMax);
  return bodyLimit === 'batch' ? settings.batchBodyBytesMax : settings.bodyBytesMax;
}

import type { Operation } from '@fieldroster/contract';
import { ApiError } from '../api-error.ts';
import type { KnownApplication } from '../applications/application-directory.ts';

/** Throws 1016 when the application may only read and the operation writes. */
export function requireScope(operation: Operation, application: KnownApplication): void {
  if (operation.access === 'read' || application.scope === 'write') return;
  throw new ApiError(
    1016,
    `${operation.name} needs the scope write; the application ${application.appId} has the scope ${application.scope}`,
  );
}

import { accesses, type Operation } from '@fieldroster/contract';
import type { KnownApplication } from '../../applications/loaded-application.ts';
import { ApiError } from '../../errors/api-error.ts';

/** Throws 1016 unless the application's scope includes what the operation does. */
export function requireScope(operation: Operation, application: KnownApplication): void {
  if (accesses.indexOf(application.scope) >= accesses.indexOf(operation.access)) return;
  throw new ApiError(
    1016,
    `${operation.name} needs the scope ${operation.access}; the application ${application.appId} has the scope ${application.scope}: ask the operator for ${operation.access}`,
  );
}

import type { ConsoleOperation } from '@fieldroster/contract/console';
import type { AcceptanceClaim, Actor } from '../database/database.ts';
import type { ConsoleCall } from './console-call.ts';
import { type ConsoleContext, type ConsoleParts, refuse } from './console-context.ts';
import type { SignedIn } from './sign-in/sessions.ts';

/** The caller, as the steps identified it. */
export interface ConsoleCaller {
  readonly signedIn: SignedIn | undefined;
  readonly tenantId: bigint | undefined;
  readonly claim: AcceptanceClaim | undefined;
}

/** A call of one of the console's own operations, as the steps identified it. */
export interface OwnCall {
  readonly call: ConsoleCall;
  readonly operation: ConsoleOperation;
  readonly caller: ConsoleCaller;
}

/** Makes the context of a handler. A property that the call does not have throws when the handler reads it. */
export function contextOfCall(
  { call, operation: { name }, caller }: OwnCall,
  parts: ConsoleParts,
  setCookie: ConsoleContext['setCookie'],
): ConsoleContext {
  const { requestId, address, userAgent, disconnectSignal } = call;
  const { signedIn, tenantId, claim } = caller;
  return {
    parts,
    requestId,
    address,
    userAgent,
    disconnectSignal,
    claim,
    refuse,
    setCookie,
    get signedIn() {
      return required(signedIn, `${name} is for visitors`);
    },
    get actor(): Actor {
      return actorOf(required(signedIn, `${name} is for visitors`), call);
    },
    get tenantId() {
      return required(tenantId, `${name} has no tenant`);
    },
    event: (changes) => ({
      ...(signedIn !== undefined && { operatorId: signedIn.operator.id }),
      requestId,
      operation: name,
      changes,
    }),
  };
}

/** Returns the operator as audit rows of a tenant name one. */
export function actorOf({ operator }: SignedIn, { changeId }: Pick<ConsoleCall, 'changeId'>): Actor {
  return { kind: 'operator', id: String(operator.id), ...(changeId !== undefined && { changeId }) };
}

function required<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw new TypeError(problem);
  return value;
}

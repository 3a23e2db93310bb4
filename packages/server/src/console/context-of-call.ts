import type { ConsoleOperation } from '@fieldroster/contract/console';
import type { AcceptanceClaim, Actor } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ConsoleCall } from './console-call.ts';
import type { ConsoleContext, ConsoleParts, TenantContext } from './console-context.ts';
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

/** The context of a call, whose caller and tenant are there if its operation's reach requires them. */
type ContextOfCall = ConsoleContext & Partial<Pick<TenantContext, 'signedIn' | 'actor' | 'tenantId'>>;

/** Makes the context of a handler. */
export function contextOfCall(
  { call, operation: { name }, caller }: OwnCall,
  parts: ConsoleParts,
  setCookie: ConsoleContext['setCookie'],
): ContextOfCall {
  const { requestId, address, userAgent, sessionToken, disconnectSignal } = call;
  const { signedIn, tenantId, claim } = caller;
  return {
    parts,
    requestId,
    address,
    userAgent,
    sessionToken,
    disconnectSignal,
    claim,
    refuse,
    setCookie,
    ...(signedIn !== undefined && { signedIn, actor: actorOf(signedIn, call) }),
    ...(tenantId !== undefined && { tenantId }),
    event: (changes) => ({
      ...(signedIn !== undefined && { operatorId: signedIn.operator.id }),
      requestId,
      operation: name,
      changes,
    }),
  };
}

const refuse: ConsoleContext['refuse'] = (code, message) => new ApiError(code, message);

/** Returns the operator as audit rows of a tenant name one. */
export function actorOf({ operator }: SignedIn, { changeId }: Pick<ConsoleCall, 'changeId'>): Actor {
  return { kind: 'operator', id: String(operator.id), ...(changeId !== undefined && { changeId }) };
}

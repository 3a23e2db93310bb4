import { type Operation, operations } from '@fieldroster/contract';
import type { ConsoleOperation } from '@fieldroster/contract/console';
import type { Call } from '../pipeline/call.ts';
import type { ConsoleCall } from './console-call.ts';

/** Returns the call in the form that the steps of signed calls take. */
export function asSignedCall(call: ConsoleCall): Call {
  const { target, requestId, method, contentType, contentEncoding, disconnectSignal } = call;
  const unsigned = { authorization: undefined, timestamp: undefined, nonce: undefined, host: undefined };
  return {
    ...unsigned,
    // The steps of a console call read only `operation`, so the console's own operations pass any valid key.
    key: target.kind === 'own' ? 'queryUser' : target.key,
    operation: target.kind === 'own' ? asSigned(target.operation) : operations[target.key],
    requestId,
    method,
    target: call.query,
    contentType,
    contentEncoding,
    disconnectSignal,
    address: call.address,
  };
}

/** Returns the operation in the form that the parser, the serializer and the deadline of signed calls take. */
export function asSigned({ name, method, path, summary, query, body, data }: ConsoleOperation): Operation {
  return {
    name,
    method,
    path,
    summary,
    description: summary,
    access: 'read',
    successMessage: '',
    codes: [],
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body }),
    ...(data !== undefined && { data }),
  };
}

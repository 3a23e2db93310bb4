import { type Operation, operations } from '@fieldroster/contract';
import type { ConsoleOperation } from '@fieldroster/contract/console';
import type { Call } from '../pipeline/call.ts';
import type { ConsoleCall, DirectoryAction } from './console-call.ts';

/** Returns a call of a signed operation in the form that the steps of signed calls take. */
export function asSignedCall(call: ConsoleCall, { key }: DirectoryAction): Call {
  const { requestId, method, contentType, contentEncoding, disconnectSignal } = call;
  const unsigned = { authorization: undefined, timestamp: undefined, nonce: undefined, host: undefined };
  return {
    ...unsigned,
    key,
    operation: operations[key],
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

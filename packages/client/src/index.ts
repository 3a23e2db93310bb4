export type { CallOptions, RetryOptions } from './call-options.ts';
export type { ClientHooks, RequestEvent, ResponseEvent, RetryEvent } from './client-hooks.ts';
export type {
  Fetch,
  FieldrosterClientOptions,
  IdMode,
  IdOf,
} from './client-options.ts';
export { type ConnectionFault, connectionFault } from './connection-fault.ts';
export type { Answered, DetailedMethods } from './detailed-methods.ts';
export {
  AnswerLostError,
  FieldrosterError,
  isFieldrosterError,
  type OperationName,
  OutcomeUnknownError,
  type Reach,
  TransportError,
  UnsafeIdError,
} from './errors.ts';
export { parseExactJson, stringifyExactJson } from './exact-json.ts';
export { FieldrosterClient } from './fieldroster-client.ts';
export type { ErrorCode, ErrorName } from './generated/error-names.ts';
export type * from './generated/operation-types.ts';
export type { IdInput } from './id-input.ts';
export type { OperationInput, OperationResult } from './operation-calls.ts';
export type { OperationKey } from './prepare-request.ts';
export { answerBytesMaxDefault, OversizedAnswerError, readText } from './read-text.ts';

import type { Operation } from '@fieldroster/contract';
import type { WriteContext } from '../../operations/handler.ts';
import { handlers } from '../../operations/handlers.ts';
import { type HandlerCall, type HandlerParts, handlerContext } from './handler-context.ts';

type AnyHandler = (input: unknown, context: WriteContext<Operation>) => Promise<object | undefined>;

/** Runs the handler of the operation. A handler that writes makes the claim in the same transaction. */
export function runHandler(
  called: HandlerCall,
  input: unknown,
  parts: HandlerParts,
): Promise<object | undefined> {
  // The table of handlers is typed by operation; here the operation is only known by its key.
  const handler = handlers[called.call.key] as unknown as AnyHandler;
  return handler(input, handlerContext(called, parts));
}

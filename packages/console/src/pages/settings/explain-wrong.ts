import { CallError } from '../../api/call.ts';

/**
 * Replaces the text of a wrong credential, which names all three that the sign-in asks for.
 *
 * @param wrong what to say where only one was asked for
 */
export function explainWrong(error: Error | null, wrong: string): Error | null {
  return error instanceof CallError && error.code === 1602 ? new Error(wrong, { cause: error }) : error;
}

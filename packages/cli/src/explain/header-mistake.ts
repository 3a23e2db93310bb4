import { looksSwapped, type Mistake } from '@fieldroster/signing';
import type { ExplainedRequest } from './read-request.ts';

/** Names what is wrong with the Authorization header as a whole, without repeating any part of it. */
export function headerMistake({ headerProblem, namesAppId, appId }: ExplainedRequest): Mistake | undefined {
  if (headerProblem !== undefined) {
    return { name: 'authorization-header', cause: `the Authorization header ${headerProblem}` };
  }
  if (!namesAppId || !looksSwapped(appId)) return undefined;
  return {
    name: 'authorization-swapped',
    cause:
      'the Authorization header has the signature where the APPID belongs; write cbs:<APPID>:<Signature>',
  };
}

import type { ProblemTexts } from '@fieldroster/contract/problems';

/** None: the message that comes with a problem is in English. */
export const problems: Partial<ProblemTexts> = {};

import type { AnswerText } from '../read-answer.ts';

/** The interface answers in English, so that nothing is left to say. */
export const answers: readonly AnswerText[] = [];

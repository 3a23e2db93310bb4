import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import type { Question } from './parent.ts';

const session = new Session();

/** Does what a question about the process's CPU profile asks for. */
export async function answerProfileQuestion(question: Question): Promise<void> {
  if (question.ask === 'start-profile') {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  } else if (question.ask === 'write-profile') {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    writeFileSync(question.file, JSON.stringify(profile));
  }
}

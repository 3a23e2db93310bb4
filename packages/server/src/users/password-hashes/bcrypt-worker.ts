import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

export interface BcryptQuestion {
  readonly id: number;
  readonly password: string;
  readonly hash: string;
}

export interface BcryptAnswer {
  readonly id: number;
  readonly matches: boolean;
}

parentPort?.on('message', ({ id, password, hash }: BcryptQuestion) => {
  const answer: BcryptAnswer = { id, matches: compareSync(password, hash) };
  parentPort?.postMessage(answer);
});

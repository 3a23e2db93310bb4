import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

export interface BcryptQuestion {
  readonly password: string;
  readonly hash: string;
}

parentPort?.on('message', ({ password, hash }: BcryptQuestion) => {
  parentPort?.postMessage(compareSync(password, hash));
});

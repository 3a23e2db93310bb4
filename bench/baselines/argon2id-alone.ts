import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { countCalls, serveParent } from '../process/parent.ts';

const hash = promisify(argon2);

/** The server's parameters: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

/** Argument: the number of hashes to compute at once. The thread pool has four threads. */
const atOnce = Number(process.argv[2]);

serveParent((seconds) =>
  countCalls(seconds, atOnce, (count) =>
    hash('argon2id', { message: `password ${count}`, nonce: randomBytes(16), ...cost }),
  ),
);

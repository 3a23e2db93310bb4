import { createHmac, createSecretKey, hash } from 'node:crypto';
import { signedPost } from '../contenders/signed-post.ts';
import { serveParent } from '../process/parent.ts';
import { countCalls } from './count-calls.ts';

const { received, appSecret, stringToSign } = signedPost();
const key = createSecretKey(appSecret, 'utf8');
const charactersExpected = 24 + 44;

serveParent(undefined, (seconds) =>
  countCalls(seconds, () => {
    const md5 = hash('md5', received.body, 'base64');
    const signature = createHmac('sha256', key).update(stringToSign).digest('base64');
    if (md5.length + signature.length !== charactersExpected) throw new Error('a digest is too short');
  }),
);

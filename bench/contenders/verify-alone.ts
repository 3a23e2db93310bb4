import { countCalls } from '../baselines/count-calls.ts';
import { signingOf } from '../process/packages-of.ts';
import { serveParent } from '../process/parent.ts';
import { signedPost } from './signed-post.ts';

/** Argument: the folder of the checkout whose signing package is measured. */
const { secretKey, verifyRequest } = await signingOf(process.argv[2] ?? '');
const { received, appSecret, nowSeconds } = signedPost();
const secrets = [secretKey(appSecret)];
const options = { findSecrets: () => secrets, nowSeconds };

serveParent(undefined, (seconds) =>
  countCalls(seconds, () => {
    if (verifyRequest(received, options).outcome !== 'verified') throw new Error('the signature is refused');
  }),
);

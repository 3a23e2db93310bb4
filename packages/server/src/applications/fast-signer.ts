import { hash, randomBytes } from 'node:crypto';
import { type SecretKey, type Signer, secretKey, signature } from '@fieldroster/signing';

const blockBytes = 64;
const digestBytes = 32;

/** Only long queries lead to a longer string to sign. */
const messageBytesMax = 4096;
const innerText = Buffer.alloc(blockBytes + messageBytesMax);
const outerText = Buffer.alloc(blockBytes + digestBytes);
const zeroPad = new Uint8Array(blockBytes);

/**
 * Computes HMAC-SHA256 (RFC 2104) by two one-shot hashes. That takes about half the time of `createHmac`, which makes a
 * stream for every signature. Decision 015 weighs the costs and gains.
 */
export class FastSigner implements Signer {
  readonly key: SecretKey;
  readonly #innerPad: Uint8Array;
  readonly #outerPad: Uint8Array;

  constructor(appSecret: string) {
    this.key = secretKey(appSecret);
    const secret = Buffer.from(appSecret, 'utf8');
    const block = new Uint8Array(blockBytes);
    block.set(secret.length > blockBytes ? hash('sha256', secret, 'buffer') : secret);
    this.#innerPad = block.map((byte) => byte ^ 0x36);
    this.#outerPad = block.map((byte) => byte ^ 0x5c);
    block.fill(0);
    secret.fill(0);
  }

  sign(stringToSign: string): string {
    // A UTF-16 code unit takes at most three bytes of UTF-8.
    if (stringToSign.length * 3 > messageBytesMax) return signature(this.key, stringToSign);
    innerText.set(this.#innerPad);
    const length = blockBytes + innerText.write(stringToSign, blockBytes, 'utf8');
    outerText.set(this.#outerPad);
    outerText.write(hash('sha256', innerText.subarray(0, length), 'latin1'), blockBytes, 'latin1');
    const signed = hash('sha256', outerText, 'base64');
    // The buffers outlive the secret. The string to sign is not secret, so it may stay.
    innerText.set(zeroPad);
    outerText.set(zeroPad);
    return signed;
  }

  /** Wipes what was derived from the secret. A wiped signer makes wrong signatures. */
  wipe(): void {
    // Random, because zeroed pads would let anyone compute valid signatures.
    this.#innerPad.set(randomBytes(blockBytes));
    this.#outerPad.set(randomBytes(blockBytes));
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A vector as its JSON file holds it. `packages/signing/vectors/README.md` describes the fields. */
export interface Vector {
  readonly id: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly omitContentMd5?: boolean;
  readonly plus?: 'space' | 'literal';
  readonly signer?: 'refuses' | 'cannot-express';
  readonly contentMd5: string | null;
  readonly canonicalResource: string | null;
  readonly stringToSign: string | null;
  readonly signature: string | null;
  readonly authorization: string;
  readonly verification: { readonly outcome: string };
}

/** The folder of the vectors that every signer runs. */
export const vectorDirectory = fileURLToPath(new URL('../../packages/signing/vectors', import.meta.url));

export function readVectors(): readonly Vector[] {
  const files = readdirSync(vectorDirectory).filter((name) => name.endsWith('.json'));
  return files.flatMap((name) => JSON.parse(readFileSync(`${vectorDirectory}/${name}`, 'utf8')).vectors);
}

/** Returns the bytes of a vector's body; empty if it has none. */
function bodyOf({ body, bodyBase64 }: Vector): Buffer {
  return bodyBase64 === undefined ? Buffer.from(body ?? '') : Buffer.from(bodyBase64, 'base64');
}

/**
 * Writes vectors for languages whose standard library cannot read JSON: one line for each, its fields in Base64,
 * separated by commas, with `-` for null. Not by tabs: a shell reads adjacent tabs as one.
 */
export function toVectorLines(vectors: readonly Vector[]): string {
  return vectors.map((vector) => `${fieldsOf(vector).map(encode).join(',')}\n`).join('');
}

function fieldsOf(vector: Vector): readonly (string | Buffer | null)[] {
  const { id, appId, appSecret, method, target, timestamp, nonce } = vector;
  const { contentMd5, canonicalResource, stringToSign, signature, authorization } = vector;
  const given = [id, appId, appSecret, method, target, timestamp, nonce, bodyOf(vector)];
  const switches = [String(vector.omitContentMd5 ?? false), vector.plus ?? 'space', vector.signer ?? ''];
  return [...given, ...switches, contentMd5, canonicalResource, stringToSign, signature, authorization];
}

function encode(field: string | Buffer | null): string {
  return field === null ? '-' : Buffer.from(field).toString('base64');
}

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A vector as its JSON file has it; see the README beside the files. */
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

/** Folder of the vectors that every signer runs. */
export const vectorDirectory = fileURLToPath(new URL('../packages/signing/vectors', import.meta.url));

export function readVectors(): readonly Vector[] {
  const files = readdirSync(vectorDirectory).filter((name) => name.endsWith('.json'));
  return files.flatMap((name) => JSON.parse(readFileSync(`${vectorDirectory}/${name}`, 'utf8')).vectors);
}

/** The bytes of a vector's body; none is empty. */
export function bodyOf({ body, bodyBase64 }: Vector): Buffer {
  return bodyBase64 === undefined ? Buffer.from(body ?? '') : Buffer.from(bodyBase64, 'base64');
}

/**
 * The vectors for languages whose standard library reads no JSON: a line each, its fields in Base64 and
 * separated by commas, `-` for null. A comma, because a shell takes neighbouring tabs for one.
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

import { errorCodes, type Operation } from '@fieldroster/contract';
import { type CutShort, cutShortSearch, withheldDigest } from '@fieldroster/contract/problems';
import {
  canonicalResource,
  contentMd5,
  contentMd5Participates,
  parseQuery,
  type QueryReading,
  splitTarget,
  stringToSign,
} from '@fieldroster/signing';
import { recordableText, withholdValues } from './withhold-values.ts';

/** The details that an operator may see of a signature that does not match. */
export interface MismatchDescription {
  /** The message of the answer, without the string to sign. */
  readonly message: string;
  /** The likely cause, if one was found. */
  readonly cause: string | undefined;
  /** The server's strings to sign, without what may reveal a password. */
  readonly stringsToSign: readonly string[];
}

/** A request whose signature does not match. */
export interface MismatchedRequest {
  readonly operation: Operation;
  readonly target: string;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  readonly body: Buffer;
  readonly bodyMd5: string | undefined;
}

const stringsMax = 2;

/** Returns the strings to sign as they may be kept, one for each of the first readings of the query. */
export function describeMismatch(
  request: MismatchedRequest,
  readings: readonly QueryReading[],
  { cause, cutShort }: { readonly cause?: string; readonly cutShort?: CutShort },
): MismatchDescription {
  const { operation, target, timestamp = '', nonce = '' } = request;
  const { path, query } = splitTarget(target);
  const contentMd5 = keptMd5(request);
  const stringsToSign = readings.slice(0, stringsMax).map(({ plus, names }) => {
    const parameters = withholdValues(parseQuery(query, plus, names), operation);
    const resource = canonicalResource(path, parameters);
    return recordableText(
      stringToSign({ method: operation.method, contentMd5, timestamp, nonce, canonicalResource: resource }),
    );
  });
  return { message: messageOf(cutShort), cause: cause && recordableText(cause), stringsToSign };
}

function messageOf(cutShort: CutShort | undefined): string {
  const { meaning } = errorCodes[1014];
  return cutShort === undefined ? meaning : `${meaning}; ${cutShortSearch[cutShort]}`;
}

function keptMd5({ operation, body, bodyMd5 }: MismatchedRequest): string | undefined {
  if (!contentMd5Participates(operation.method, body.length)) return undefined;
  // A short secret could be guessed from the digest of an otherwise known body.
  return mayHoldSecret(operation) ? withheldDigest : (bodyMd5 ?? contentMd5(body));
}

/** Returns whether the operation's body has a field for a secret, at any depth. */
function mayHoldSecret({ body }: Operation): boolean {
  return JSON.stringify(body ?? {}).includes('"writeOnly":true');
}

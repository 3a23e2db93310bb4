import { parseAuthorization } from './authorization-header.ts';
import { bodyMistakes } from './mistakes/body-mistakes.ts';
import { keyMistakes } from './mistakes/key-mistakes.ts';
import { layoutMistakes } from './mistakes/layout-mistakes.ts';
import { type Mistake, type RequestOfString, rightParts, type StringMistake } from './mistakes/mistake.ts';
import { queryMistakes } from './mistakes/query-mistakes.ts';
import { findFormMistake } from './mistakes/signature-forms.ts';
import { keyOf, type Secret, signature, signaturesEqual } from './signature.ts';
import type { ReceivedRequest } from './verify-request.ts';

export type { Mistake };

/** A mistake that explains the signature received. */
export interface FoundMistake extends Mistake {
  /** The text that was signed instead of the right one, when the mistake is in the text. */
  readonly signedString?: string;
}

/** A request that {@link verifyRequest} refused as a mismatch. */
export interface Mismatch {
  readonly request: ReceivedRequest & Pick<RequestOfString, 'mayParseBody'>;
  /** From the refusal. */
  readonly stringsToSign: readonly string[];
  /** The application's live secrets. */
  readonly secrets: readonly Secret[];
  /** Scheme, host and port that the caller wrote, such as `http://127.0.0.1:8080`, if known. */
  readonly origin?: string | undefined;
  /**
   * Called before each attempt; `false` ends the search, so that a server can limit the work it does for
   * strangers.
   */
  readonly mayGoOn?: (() => boolean) | undefined;
}

// Mistakes with a certain cause come first, then the most frequent ones.
const stringMistakes: readonly StringMistake[] = [...bodyMistakes, ...queryMistakes, ...layoutMistakes];

/** Limits the work, because a stranger chooses the length of the target. */
const targetCharactersMax = 8192;

/** The most wrong strings that are tried. */
export const stringsTriedMax = 76;

/**
 * Looks for the one known mistake that produces a wrong signature. Call it only after a refusal: for every
 * secret it signs up to {@link stringsTriedMax} texts, plus the right text with each of about a dozen wrong
 * keys.
 *
 * The result reveals no secret and no signature; `signedString` is made from the request alone.
 *
 * @returns `undefined` when no known mistake gives this signature, or when two were made at once
 */
export function findMistake(mismatch: Mismatch): FoundMistake | undefined {
  const authorization = parseAuthorization(mismatch.request.authorization ?? '');
  if ('problem' in authorization) return undefined;
  const inForm = findFormMistake(authorization.signature);
  if (inForm !== undefined) return inForm;
  return findSignedString(mismatch, authorization.signature) ?? findKeyMistake(mismatch, authorization);
}

/**
 * Names the known mistake that produces a wrong string to sign.
 *
 * @param rightStrings from the refusal of {@link verifyRequest}
 * @param signedString the text that the caller's code produced
 */
export function findStringMistake(
  request: RequestOfString,
  rightStrings: readonly string[],
  signedString: string,
  origin?: string,
): FoundMistake | undefined {
  for (const [mistake, text] of wrongStrings(request, rightStrings, origin)) {
    if (text === signedString) return found(mistake, text);
  }
  return undefined;
}

function findSignedString(mismatch: Mismatch, claimed: string) {
  const { request, stringsToSign, secrets, origin, mayGoOn = always } = mismatch;
  let tried = 0;
  for (const [mistake, text] of wrongStrings(request, stringsToSign, origin, mayGoOn)) {
    if (tried++ === stringsTriedMax || !mayGoOn()) return undefined;
    if (secrets.some((secret) => signaturesEqual(signature(secret, text), claimed))) {
      return found(mistake, text);
    }
  }
  return undefined;
}

/** Yields each wrong string once, under the first mistake that produces it, and never a right one. */
function* wrongStrings(
  request: RequestOfString,
  rightStrings: readonly string[],
  origin: string | undefined,
  mayGoOn = always,
): Generator<readonly [StringMistake, string]> {
  const [rightString] = rightStrings;
  if (rightString === undefined || request.target.length > targetCharactersMax) return;
  const right = rightParts(request, rightString, origin);
  const seen = new Set(rightStrings);
  for (const mistake of stringMistakes) {
    // Building the texts of one mistake can cost as much as signing them.
    if (!mayGoOn()) return;
    for (const text of mistake.strings(right)) {
      if (seen.has(text)) continue;
      seen.add(text);
      yield [mistake, text];
    }
  }
}

function findKeyMistake(
  { stringsToSign, secrets, mayGoOn = always }: Mismatch,
  { appId, signature: claimed }: { readonly appId: string; readonly signature: string },
): FoundMistake | undefined {
  const [stringToSign] = stringsToSign;
  if (stringToSign === undefined || stringToSign.length > targetCharactersMax) return undefined;
  const keys = secrets.map(keyOf);
  const mistake = keyMistakes.find(({ signatures }) =>
    keys.some(
      (key) =>
        mayGoOn() &&
        signatures({ key, appId, stringToSign }).some((wrong) => signaturesEqual(wrong, claimed)),
    ),
  );
  return mistake && found(mistake);
}

function always(): boolean {
  return true;
}

function found({ name, cause }: Mistake, signedString?: string): FoundMistake {
  return signedString === undefined ? { name, cause } : { name, cause, signedString };
}

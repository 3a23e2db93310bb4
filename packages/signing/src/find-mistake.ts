import { hmacSha256Base64 } from '#crypto';
import { parseAuthorization } from './authorization-header.ts';
import type { SecretKey } from './crypto/secret-key.ts';
import { textsInCharsets } from './mistakes/charset-mistakes.ts';
import { type KeyMistake, keyMistakes } from './mistakes/key-mistakes.ts';
import { timestampMilliseconds } from './mistakes/layout-mistakes.ts';
import {
  bothMistakes,
  type Mistake,
  type RequestOfString,
  type RightParts,
  rightParts,
  type SentAs,
} from './mistakes/mistake.ts';
import { findFormMistake } from './mistakes/signature-forms.ts';
import { stringMistakes, textsOf, type WrongText } from './mistakes/single-mistakes.ts';
import { commonKeyMistakes, commonTexts, textsWithTwoMistakes } from './mistakes/two-mistakes.ts';
import { keyOf, type Secret, signature, signaturesEqual } from './signature.ts';
import type { ReceivedRequest } from './verify-request.ts';

export type { Mistake };

/** A mistake that explains the signature received. */
export interface FoundMistake extends Mistake {
  /** The text that was signed instead of the right one, when the mistake is in the text. */
  readonly signedString?: string;
}

/** A request that {@link verifyRequest} refused as a mismatch, and what limits the search. */
export interface FindMistakeOptions extends SentAs {
  readonly request: ReceivedRequest & Pick<RequestOfString, 'mayParseBody' | 'uncompressedBody'>;
  /** The expected strings to sign, from the refusal. */
  readonly stringsToSign: readonly string[];
  /** The application's live secrets. */
  readonly secrets: readonly Secret[];
  /**
   * Called before each attempt; `false` ends the search, so that a server can limit the work it does for
   * strangers.
   */
  readonly mayGoOn?: (() => boolean) | undefined;
}

/** A request, and the string to sign that the caller's code made of it. */
export interface FindStringMistakeOptions extends SentAs {
  readonly request: RequestOfString;
  /** The expected strings, from the refusal of {@link verifyRequest} or from `expectedStringsToSign`. */
  readonly stringsToSign: readonly string[];
  /** The text that the caller's code produced. */
  readonly signedString: string;
}

/** Limits the work, because a stranger chooses the length of the target. */
const targetCharactersMax = 8192;

/** The most wrong texts that are tried. */
export const stringsTriedMax = 4_000;

/**
 * Looks for the known mistakes that produce a wrong signature: one of them, or two common ones at once. Call it
 * only after a refusal: for every secret it signs up to {@link stringsTriedMax} texts, plus some of them with
 * wrong keys.
 *
 * The result reveals no secret and no signature; `signedString` is made from the request alone. Of two mistakes,
 * `name` has both names, joined by `+`.
 *
 * @returns `undefined` when no known mistake gives this signature
 */
export function findMistake(options: FindMistakeOptions): FoundMistake | undefined {
  const authorization = parseAuthorization(options.request.authorization ?? '');
  if ('problem' in authorization) return undefined;
  const { appId, signature: claimed } = authorization;
  const form = findFormMistake(claimed);
  if (form === undefined) return new Search(options, appId, claimed).run();
  const other =
    form.signature === undefined ? undefined : new Search(options, appId, form.signature).run(true);
  if (other === undefined || other === 'right') return found(form.mistake);
  return found(bothMistakes(form.mistake, other), other.signedString);
}

/** Names the known mistake, or the two, that produce a wrong string to sign. */
export function findStringMistake({
  request,
  stringsToSign,
  signedString,
  ...sentAs
}: FindStringMistakeOptions): FoundMistake | undefined {
  const right = searchedParts(request, stringsToSign, sentAs);
  if (right === undefined) return undefined;
  for (const texts of [singleMistakes, textsInOtherCharsets, textsWithTwoMistakes]) {
    for (const [mistake, text] of texts(right)) {
      if (text === signedString && !stringsToSign.includes(text)) return found(mistake, text);
    }
  }
  return undefined;
}

/** The search for the mistakes behind one signature. */
class Search {
  readonly #options: FindMistakeOptions;
  readonly #appId: string;
  readonly #claimed: string;
  readonly #keys: readonly SecretKey[];
  readonly #mayGoOn: () => boolean;
  #tried = 0;
  #ended = false;

  constructor(options: FindMistakeOptions, appId: string, claimed: string) {
    this.#options = options;
    this.#appId = appId;
    this.#claimed = claimed;
    this.#keys = options.secrets.map(keyOf);
    this.#mayGoOn = options.mayGoOn ?? (() => true);
  }

  run(): FoundMistake | undefined;
  run(mayBeRight: true): FoundMistake | 'right' | undefined;
  /** @param mayBeRight whether to try the right texts too */
  run(mayBeRight?: true): FoundMistake | 'right' | undefined {
    const { request, stringsToSign } = this.#options;
    const right = searchedParts(request, stringsToSign, this.#options);
    if (right === undefined || !this.#mayGoOn()) return undefined;
    if (mayBeRight && stringsToSign.some((text) => this.#signs(text))) return 'right';
    const texts = madeOnce(textsOf(stringMistakes, right));
    const firstTexts = madeOnce(commonTexts(right, texts));
    return (
      this.#findText(distinct(texts, stringsToSign)) ??
      this.#findKey(keyMistakes, [[undefined, stringsToSign[0] ?? '']]) ??
      this.#findCharset(right) ??
      this.#findText(textsOf([timestampMilliseconds], right)) ??
      this.#findText(distinct(textsWithTwoMistakes(right, firstTexts), stringsToSign)) ??
      this.#findKey(commonKeyMistakes, firstTexts)
    );
  }

  /** Ends the whole search when the time or the number of texts is used up. */
  #mayTry(): boolean {
    this.#ended ||= this.#tried++ >= stringsTriedMax || !this.#mayGoOn();
    return !this.#ended;
  }

  #signs(text: string): boolean {
    return this.#keys.some((key) => signaturesEqual(signature(key, text), this.#claimed));
  }

  #findText(texts: Iterable<WrongText>): FoundMistake | undefined {
    if (this.#ended) return undefined;
    for (const [mistake, text] of texts) {
      if (!this.#mayTry()) return undefined;
      if (this.#signs(text)) return found(mistake, text);
    }
    return undefined;
  }

  #findCharset(right: RightParts): FoundMistake | undefined {
    if (this.#ended) return undefined;
    for (const { mistake, text, bytes } of textsInCharsets(right, this.#options.stringsToSign)) {
      if (!this.#mayTry()) return undefined;
      const matches = this.#keys.some((key) => signaturesEqual(hmacSha256Base64(key, bytes), this.#claimed));
      if (matches) return found(mistake, text);
    }
    return undefined;
  }

  #findKey(
    mistakes: readonly KeyMistake[],
    texts: Iterable<readonly [Mistake | undefined, string]>,
  ): FoundMistake | undefined {
    if (this.#ended) return undefined;
    for (const [inText, stringToSign] of texts) {
      for (const mistake of mistakes) {
        for (const key of this.#keys) {
          if (!this.#mayTry()) return undefined;
          const wrong = mistake.signatures({ key, appId: this.#appId, stringToSign });
          if (!wrong.some((each) => signaturesEqual(each, this.#claimed))) continue;
          return inText ? found(bothMistakes(inText, mistake), stringToSign) : found(mistake);
        }
      }
    }
    return undefined;
  }
}

function searchedParts(
  request: RequestOfString,
  [expectedString]: readonly string[],
  sentAs: SentAs,
): RightParts | undefined {
  if (expectedString === undefined || request.target.length > targetCharactersMax) return undefined;
  return rightParts(request, expectedString, sentAs);
}

function singleMistakes(right: RightParts): Iterable<WrongText> {
  return textsOf([...stringMistakes, timestampMilliseconds], right);
}

/** Returns texts with the Content-MD5 of a body in another charset. */
function* textsInOtherCharsets(right: RightParts): Generator<WrongText> {
  for (const { mistake, text } of textsInCharsets(right, [])) yield [mistake, text];
}

/** Keeps what a generator makes, so that it can be gone through again. */
function madeOnce<Value>(values: Generator<Value>): Iterable<Value> {
  const made: Value[] = [];
  return {
    *[Symbol.iterator]() {
      yield* made;
      for (const value of values) {
        made.push(value);
        yield value;
      }
    },
  };
}

/** Yields each wrong text once, under the first mistake that produces it, and never a right one. */
function* distinct(texts: Iterable<WrongText>, stringsToSign: readonly string[]): Generator<WrongText> {
  const seen = new Set(stringsToSign);
  for (const wrong of texts) {
    if (seen.has(wrong[1])) continue;
    seen.add(wrong[1]);
    yield wrong;
  }
}

function found({ name, cause }: Mistake, signedString?: string): FoundMistake {
  return signedString === undefined ? { name, cause } : { name, cause, signedString };
}

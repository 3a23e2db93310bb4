/** The parts of a string to sign, each as {@link stringToSign} places it. */
export interface StringToSignParts {
  /** HTTP method, in any case. */
  readonly method: string;
  /** Base64 MD5 of the body; `undefined` omits the part and its line feed. */
  readonly contentMd5: string | undefined;
  /** The `Timestamp` header, character for character. */
  readonly timestamp: string;
  /** The `Nonce` header, character for character. */
  readonly nonce: string;
  /** From `canonicalResource`. */
  readonly canonicalResource: string;
}

/** Joins the signed parts with single line feeds (U+000A) and none at the end. The result is signed as UTF-8. */
export function stringToSign(parts: StringToSignParts): string {
  const bodyLine = parts.contentMd5 === undefined ? '' : `${parts.contentMd5}\n`;
  return `${parts.method.toUpperCase()}\n${bodyLine}${parts.timestamp}\n${parts.nonce}\n${parts.canonicalResource}`;
}

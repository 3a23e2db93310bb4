/** Lower-case hexadecimal digits; `Uint8Array.prototype.toHex` is newer than some browsers in use. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes that hexadecimal digits stand for, or `undefined` for any other text. */
export function fromHex(text: string): Uint8Array | undefined {
  if (!/^(?:[0-9A-Fa-f]{2})+$/.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

/** The bytes of Base64 in either alphabet, padded or not, or `undefined` for any other text. */
export function fromAnyBase64(text: string): Uint8Array | undefined {
  const bare = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/]+$/.test(bare) || bare.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(bare), (byte) => byte.charCodeAt(0));
}

/** The text of UTF-8 bytes, or `undefined` when they are something else. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

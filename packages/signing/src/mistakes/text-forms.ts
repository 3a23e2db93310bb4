/** Returns lower-case hexadecimal digits. Some browsers in use lack `Uint8Array.prototype.toHex`. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Decodes hexadecimal digits; returns `undefined` for any other text. */
export function fromHex(text: string): Uint8Array | undefined {
  if (!/^(?:[0-9A-Fa-f]{2})+$/.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

/** Decodes Base64 in either alphabet, padded or not; returns `undefined` for any other text. */
export function fromAnyBase64(text: string): Uint8Array | undefined {
  const bare = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/]+$/.test(bare) || bare.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(bare), (byte) => byte.charCodeAt(0));
}

/** Decodes UTF-8; returns `undefined` for invalid bytes. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

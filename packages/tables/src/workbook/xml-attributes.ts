/** An attribute of a tag, as part of a regular expression. */
export const attribute = String.raw`\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*')`;

/** Returns the attributes of a tag by their names, without prefixes. */
export function attributesOf(text = ''): Readonly<Record<string, string | undefined>> {
  const pairs = text.matchAll(/\s+(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy);
  return Object.fromEntries(
    Array.from(pairs, ([, name, double, single]) => [name, readEntities(double ?? single ?? '')]),
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function readEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const codePoint = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return codePoint > 0x10ffff ? whole : String.fromCodePoint(codePoint);
    },
  );
}

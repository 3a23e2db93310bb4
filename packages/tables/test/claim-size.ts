const directorySignature = 0x02014b50;
const headerSignature = 0x04034b50;

/** Makes an archive say that a part has another size than it has, in its directory and before the part. */
export function claimSize(archive: Uint8Array, name: string, bytes: number): Uint8Array {
  const claimed = Buffer.from(archive);
  let claims = 0;
  for (const { signature, sizeAt, nameLengthAt, nameAt } of [
    { signature: headerSignature, sizeAt: 22, nameLengthAt: 26, nameAt: 30 },
    { signature: directorySignature, sizeAt: 24, nameLengthAt: 28, nameAt: 46 },
  ]) {
    const mark = Buffer.alloc(4);
    mark.writeUInt32LE(signature);
    for (let at = claimed.indexOf(mark); at !== -1; at = claimed.indexOf(mark, at + 1)) {
      const begin = at + nameAt;
      if (claimed.toString('utf8', begin, begin + claimed.readUInt16LE(at + nameLengthAt)) !== name) continue;
      claimed.writeUInt32LE(bytes, at + sizeAt);
      claims += 1;
    }
  }
  if (claims !== 2) throw new RangeError(`the archive has no single part ${name}`);
  return claimed;
}

/**
 * Characters that no new username may have: they show nothing, or change the order in which others are shown, so
 * that two usernames would look the same. The joiners U+200C and U+200D are not among them, because some
 * languages are spelt with them.
 */
export const invisibleCharacters: readonly number[] = [
  // Zero-width space, word joiner, byte order mark.
  0x200b, 0x2060, 0xfeff,
  // Bidirectional controls.
  0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
];

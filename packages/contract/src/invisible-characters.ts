/**
 * Characters that no new username may contain. They are invisible or change the display order of others, so two
 * usernames would look the same. The joiners U+200C and U+200D are allowed because some languages need them.
 */
export const invisibleCharacters: readonly number[] = [
  // Zero-width space, word joiner, byte order mark.
  0x200b, 0x2060, 0xfeff,
  // Bidirectional controls.
  0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
];

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys that open the palette, as the reader's keyboard names them. */
export const paletteKeys = isApple ? '⌘ K' : 'Ctrl K';

import { isApple } from '../../parts/is-apple.ts';

/** The keys that open the palette, as the reader's keyboard names them. */
export const paletteKeys = isApple ? '⌘ K' : 'Ctrl K';

import type { Plugin } from 'vite';

const asked = 'if (href in seen) return seen[href];';

/**
 * Makes the page ask again for styles that could not be loaded: Vite keeps in mind that it asked for them once, and takes
 * them for loaded from then on. Whatever has an element in the document is still asked for only once.
 */
export function askAgain(): Plugin {
  return {
    name: 'ask-again',
    transform(code, id) {
      if (id !== '\0vite/preload-helper.js') return undefined;
      if (!code.includes(asked))
        return this.error(`Vite now loads parts in another way: there is no "${asked}"`);
      return { code: code.replace(asked, 'if (seen[href]) return seen[href];'), map: null };
    },
  };
}

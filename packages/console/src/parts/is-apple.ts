/** Whether the reader's keyboard has the key ⌘ in place of Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

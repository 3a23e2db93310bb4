/** Returns whether a character goes into what has the focus. A check box takes none. */
export function isTyped(target: EventTarget | null): boolean {
  const fields = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]';
  return target instanceof Element && target.matches(fields);
}

import type { PointerEvent } from 'react';

/** Shows on hover the whole text of what has no room in its place, unless the place has a hint of its own. */
export function showCutText({ target, currentTarget }: PointerEvent<HTMLElement>): void {
  for (let at = target as Element | null; at !== null && at !== currentTarget; at = at.parentElement) {
    if (!(at instanceof HTMLElement) || at.clientWidth === 0) continue;
    if (at.scrollWidth <= at.clientWidth && at.scrollHeight <= at.clientHeight) continue;
    if (getComputedStyle(at).textOverflow !== 'ellipsis') continue;
    if (at.title === '') at.title = at.innerText;
    return;
  }
}

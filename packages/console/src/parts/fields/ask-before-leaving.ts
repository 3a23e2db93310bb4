import type { BlockerFn, RouterHistory } from '@tanstack/react-router';
import { isUnsaved, leaveAfterAsking } from './unsaved-text.ts';

type Step = Parameters<BlockerFn>[0];

/**
 * Asks before a navigation or a reload leaves a page on which something is unsaved. Returns how to stop that.
 *
 * The history can hold a navigation until its question is answered. A step back has changed the address by then, which
 * would differ from the page while the question is open, and for good if nobody answers it. So this refuses the
 * navigation at once, and repeats it after the answer.
 */
export function askBeforeLeaving(history: RouterHistory): () => void {
  return history.block({
    enableBeforeUnload: true,
    blockerFn: async (step) => {
      if (!leavesPage(step) || !isUnsaved()) return false;
      leaveAfterAsking(() => repeat(history, step));
      return true;
    },
  });
}

/** A filter of the list beside the form changes only the query of the address. */
function leavesPage({ currentLocation, nextLocation }: Step): boolean {
  return currentLocation.pathname !== nextLocation.pathname;
}

function repeat(history: RouterHistory, { action, currentLocation, nextLocation }: Step): void {
  const { href, state } = nextLocation;
  const unasked = { ignoreBlocker: true };
  if (action === 'PUSH') history.push(href, state, unasked);
  else if (action === 'REPLACE') history.replace(href, state, unasked);
  else history.go(state.__TSR_index - currentLocation.state.__TSR_index, unasked);
}

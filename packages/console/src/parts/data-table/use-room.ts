import { type RefObject, useLayoutEffect, useState } from 'react';

/** A frame of at least this width scrolls sideways if the chosen columns do not fit. */
const deskRem = 56.25;

/** A frame of less than this width, which holds some thirty letters, has no room for two values beside each other. */
const crampedRem = 19;

interface Room {
  /** Whether the columns do not fit into the frame. */
  readonly isNarrow: boolean;
  /** Whether the frame is so narrow that each value begins a line. */
  readonly isCramped: boolean;
  /** The text size that the reader chose in the browser, by which rows and columns are measured. */
  readonly remPixels: number;
}

/**
 * Says how much room there is in the frame.
 *
 * @param narrowest the width that the columns need, in rem
 */
export function useRoom(frame: RefObject<HTMLElement | null>, narrowest: number): Room {
  const [isNarrow, setIsNarrow] = useState(false);
  const [isCramped, setIsCramped] = useState(false);
  const [remPixels, setRemPixels] = useState(16);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const compare = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const width = element.getBoundingClientRect().width / rem;
      setRemPixels(rem);
      setIsNarrow(width < narrowest && width < deskRem);
      setIsCramped(width < narrowest && width < crampedRem);
    };
    compare();
    const observer = new ResizeObserver(compare);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame, narrowest]);
  return { isNarrow, isCramped, remPixels };
}

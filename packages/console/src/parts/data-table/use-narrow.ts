import { type RefObject, useLayoutEffect, useState } from 'react';

/** A frame of at least this width scrolls sideways if the chosen columns do not fit. */
const deskPixels = 900;

/**
 * Whether the columns do not fit into the frame.
 *
 * @param narrowest the width that the columns need
 */
export function useNarrow(frame: RefObject<HTMLElement | null>, narrowest: number): boolean {
  const [isNarrow, setIsNarrow] = useState(false);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const compare = () => {
      const width = element.getBoundingClientRect().width;
      setIsNarrow(width < narrowest && width < deskPixels);
    };
    compare();
    const observer = new ResizeObserver(compare);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame, narrowest]);
  return isNarrow;
}

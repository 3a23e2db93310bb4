import { useElementScrollRestoration, useRouter } from '@tanstack/react-router';
import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';
import { untilReaderActs } from './until-reader-acts.ts';

/**
 * Names an element for the router, which keeps its position, and scrolls it to where the reader left it. The router does
 * so once, as soon as the page is drawn. After a reload, what fills the element arrives later. The router would then
 * scroll when the reader opens a row, because it copies the former position to the next address.
 *
 * @param id tells the element from those of other pages; another id is another element
 */
export function useLeftPosition(scroller: RefObject<HTMLElement | null>, id: string): void {
  const { getScrollRestorationKey: getKey } = useRouter().options;
  const left = useElementScrollRestoration({ id, ...(getKey && { getKey }) })?.scrollY ?? 0;
  // The position of the moment in which the element appears: the router changes it later, as the reader scrolls.
  const scroll = useEffectEvent((element: HTMLElement) =>
    left === 0 ? undefined : scrollOnceFilled(element, left),
  );
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    element.dataset.scrollRestorationId = id;
    return scroll(element);
  }, [scroller, id]);
}

/**
 * Scrolls to a position as soon as the element is long enough, unless the reader acts first or that takes too long.
 * Returns how to give up.
 */
function scrollOnceFilled(element: HTMLElement, top: number): () => void {
  const ended = untilReaderActs();
  const end = () => ended.abort();
  const scroll = () => {
    element.scrollTop = top;
    // Browsers round positions to the pixels of the screen.
    if (Math.abs(element.scrollTop - top) < 1) end();
  };
  const observer = new MutationObserver(scroll);
  observer.observe(element, { childList: true, subtree: true, attributeFilter: ['style'] });
  ended.signal.addEventListener('abort', () => observer.disconnect());
  scroll();
  return end;
}

import { Group } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../notices/failure-notice.tsx';
import { SteadyButton } from './steady-button.tsx';

interface Props {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly error: unknown;
    readonly fetchNextPage: () => unknown;
  };
  /** The list whose next page it loads. Its entries can take the focus (`tabIndex={-1}`). */
  readonly list: RefObject<HTMLElement | null>;
}

/**
 * Loads the next page of a list, and moves the focus to its first entry, because the button may be gone. Keep it mounted
 * below the last page too.
 */
export function LoadMore({ query, list }: Props) {
  const { general } = useTexts();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query;
  const entriesBefore = useRef<number>(undefined);
  useEffect(() => {
    if (isFetchingNextPage || entriesBefore.current === undefined) return;
    const first = list.current?.children[entriesBefore.current];
    entriesBefore.current = undefined;
    // The entry is where the button was, so there is nothing to scroll.
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  }, [isFetchingNextPage, list]);
  const load = () => {
    entriesBefore.current = list.current?.children.length;
    fetchNextPage();
  };
  if (isFetchNextPageError) return <FailureNotice error={error} onRetry={load} />;
  if (!hasNextPage) return null;
  return (
    <Group justify="center" mt="md">
      <SteadyButton variant="default" isIdle={false} loading={isFetchingNextPage} onClick={load}>
        {general.loadMore}
      </SteadyButton>
    </Group>
  );
}

import { Skeleton } from '@mantine/core';
import { FailureNotice } from './failure-notice.tsx';

interface Props {
  readonly query: {
    readonly isPending: boolean;
    readonly isError: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** About that of the content, in pixels. */
  readonly height: number;
}

/** Holds the place of content that is still loading, and says why it could not be loaded. */
export function LoadState({ query, height }: Props) {
  return (
    <>
      {query.isError && <FailureNotice error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && <Skeleton height={height} />}
    </>
  );
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

/** The part of an address that says how an entry is shown: `view` is absent while the entry is beside its list. */
export interface EntrySearch {
  readonly view?: 'page';
}

/** Reads from an address how an entry is shown. */
export function readEntrySearch({ view }: Record<string, unknown>): EntrySearch {
  return view === 'page' ? { view } : {};
}

/** Whether an entry fills the page, and a function that changes it. Both have an address to share. */
export interface FullPage {
  readonly isFull: boolean;
  readonly setFull: (isFull: boolean) => void;
}

/** The page of one entry, as its address says. The step back leads to the list from either. */
export function useFullPage(): FullPage {
  const isFull = useSearch({ strict: false, select: (search) => search.view === 'page' });
  const navigate = useNavigate();
  useOutOfReach(isFull);
  return {
    isFull,
    setFull: (next) => {
      const search = ({ view: _, ...rest }: Record<string, unknown>) =>
        next ? { ...rest, view: 'page' } : rest;
      void navigate({ to: '.', search: search as never, replace: true });
    },
  };
}

/** Keeps the keyboard out of the list that a full page covers. The list stays, with its scroll position. */
function useOutOfReach(isFull: boolean): void {
  useEffect(() => {
    const list = document.getElementById('content');
    if (!isFull || list === null) return;
    list.inert = true;
    return () => {
      list.inert = false;
    };
  }, [isFull]);
}

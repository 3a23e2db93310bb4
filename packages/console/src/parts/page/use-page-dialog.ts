import { useDisclosure } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';

/**
 * Whether a dialog of a list is open, with functions that open and close it. The list stays on the way from one of its
 * entries back to it, but the dialog closes: the question about unsaved text has announced that by then.
 */
export function usePageDialog() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const pathname = useLocation({ select: (location) => location.pathname });
  const [pathBefore, setPathBefore] = useState(pathname);
  if (pathname !== pathBefore) {
    setPathBefore(pathname);
    close();
  }
  return [isOpen, { open, close }] as const;
}

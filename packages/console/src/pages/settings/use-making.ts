import { useState } from 'react';
import { useDiscardGuard } from '../../parts/fields/use-discard-guard.tsx';

/** Keeps a dialog open, and asks before the page is left, while the server makes what is shown only once. */
export function useMaking(onClose: () => void) {
  const [isMaking, setMaking] = useState(false);
  const { question } = useDiscardGuard(isMaking, 'making');
  return {
    /** To render in the dialog. */
    question,
    close: () => {
      if (!isMaking) onClose();
    },
    /** Runs the call, and shows its answer. */
    make: async (run: () => Promise<void>) => {
      setMaking(true);
      await run().finally(() => setMaking(false));
    },
  };
}

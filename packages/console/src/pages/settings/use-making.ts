import { useState } from 'react';

/** Keeps a dialog open while the server makes what the dialog will show only once. */
export function useMaking(onClose: () => void) {
  const [isMaking, setMaking] = useState(false);
  return {
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

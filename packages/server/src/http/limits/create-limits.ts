import type { Settings } from '../../config.ts';
import { TarPit, type Wait } from '../../fairness/tar-pit.ts';
import type { Logger } from '../../logging/logger.ts';
import { createAdmission } from './admission.ts';
import { type MemoryShares, requestBytes } from './memory-shares.ts';
import { RefusalPace } from './refusal-pace.ts';

interface LimitsParts {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly waitToRefuse?: Wait;
}

/** Makes the limits: they decide how many requests are served, and how fast the others are refused. */
export function createLimits(
  { settings, logger, waitToRefuse }: LimitsParts,
  { heldRefusals }: Pick<MemoryShares, 'heldRefusals'>,
) {
  const held = Math.floor(heldRefusals / requestBytes);
  return {
    admission: createAdmission(settings, logger),
    tarPit: new TarPit(waitToRefuse),
    refusalPace: new RefusalPace({ heldMax: Math.min(settings.connectionsMax, held) }),
  };
}

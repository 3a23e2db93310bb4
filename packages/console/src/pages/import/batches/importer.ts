import type { Acting } from '../../../api/acting.ts';
import type { Id } from '../../../api/wire.ts';

/** Who imports, and where. An import takes many calls, and none of them may be made in the name of somebody else. */
export interface Importer {
  readonly tenant: Id;
  readonly by: Acting;
}

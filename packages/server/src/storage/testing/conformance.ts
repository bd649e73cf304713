import type { Engine } from '@appregistrar/testkit/engines/engines';
import { insertNewConformance } from './insert-new.ts';

export { openingConformance } from './opening.ts';

import { rowsConformance } from './rows.ts';
import { snapshotsConformance } from './snapshots.ts';
import { writesConformance } from './writes.ts';

/** The tests that every engine must pass. */
export function storageConformance(engine: Engine): void {
  rowsConformance(engine);
  insertNewConformance(engine);
  writesConformance(engine);
  snapshotsConformance(engine);
}

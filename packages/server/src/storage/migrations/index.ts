import { foundation } from './0001-foundation.ts';
import { upkeep } from './0002-upkeep.ts';
import { operatorPlane } from './0003-operator-plane.ts';
import { operatorConsole } from './0004-console.ts';
import { wholeInstallations } from './0005-whole-installations.ts';
import { sharedState } from './0006-shared-state.ts';
import { revisionStamps } from './0007-revision-stamps.ts';
import { review } from './0008-review.ts';
import { scale } from './0009-scale.ts';
import { consoleReview } from './0010-console.ts';
import { tracesDeliveriesSearch } from './0011-traces-deliveries-search.ts';
import type { Migration } from './migration.ts';

/** In order; the schema version is their number. A released migration is never changed. */
export const migrations: Migration[] = [
  foundation,
  upkeep,
  operatorPlane,
  operatorConsole,
  wholeInstallations,
  sharedState,
  revisionStamps,
  review,
  scale,
  consoleReview,
  tracesDeliveriesSearch,
];

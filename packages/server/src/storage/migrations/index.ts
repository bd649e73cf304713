import { foundation } from './0001-foundation.ts';
import { upkeep } from './0002-upkeep.ts';
import { operatorPlane } from './0003-operator-plane.ts';
import { operatorConsole } from './0004-console.ts';
import { wholeInstallations } from './0005-whole-installations.ts';
import { clockObservations } from './0006-clock-observations.ts';
import { growth } from './0007-growth.ts';
import { settings } from './0008-settings.ts';
import type { Migration } from './migration.ts';

/** In order; the schema version is their number. A released migration is never changed. */
export const migrations: Migration[] = [
  foundation,
  upkeep,
  operatorPlane,
  operatorConsole,
  wholeInstallations,
  clockObservations,
  growth,
  settings,
];

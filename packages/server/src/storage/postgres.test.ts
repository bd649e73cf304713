import { describe } from 'node:test';
import { postgres } from '../testing/engines.ts';
import { openingConformance, storageConformance } from './testing/conformance.ts';

describe('PostgreSQL', () => {
  storageConformance(postgres);
  openingConformance(postgres);
});

import { describe } from 'node:test';
import { sqlite, sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { openingConformance, storageConformance } from '../testing/conformance.ts';

describe('SQLite in a file', () => {
  storageConformance(sqlite);
  openingConformance(sqlite);
});

describe('SQLite in memory', () => storageConformance(sqliteInMemory));

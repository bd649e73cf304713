import { makeApp } from './catalogue-app.ts';
import { makeDeveloper } from './catalogue-developer.ts';
import { makeInstallations } from './catalogue-installations.ts';
import type { CatalogueSize } from './catalogue-size.ts';

/** The records of a catalogue: developers, then apps, then installations. */
export function* catalogueRecords(size: CatalogueSize): Generator<object> {
  if (size.apps > 0 && size.developers === 0) throw new Error('Apps need at least one developer.');
  if (size.installations > 0 && size.apps === 0) throw new Error('Installations need at least one app.');
  for (let index = 0; index < size.developers; index += 1) yield makeDeveloper(size.seed, index).record;
  for (let index = 0; index < size.apps; index += 1) yield makeApp(size, index).record;
  yield* makeInstallations(size);
}

import { existsSync, readFileSync } from 'node:fs';
import type { Contract } from './breaking-changes.ts';

const folder = new URL('../../../../docs/released/', import.meta.url);

/** An OpenAPI document of the last release; undefined before the first release, which creates the folder. */
export function releasedDocument(name: 'openapi.json' | 'operator-openapi.json'): Contract | undefined {
  const file = new URL(name, folder);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

import { findLogo } from '../storage/logos.ts';
import { Failure } from './failure.ts';
import type { Registry } from './registry.ts';

/** The image of a logo, as PNG. Refuses with `logo_not_found`. */
export async function getLogo(registry: Registry, id: string): Promise<Uint8Array> {
  const logo = await findLogo(registry.storage.reader, { id });
  if (!logo) throw new Failure('logo_not_found', 'No logo has this id.');
  return logo.png;
}

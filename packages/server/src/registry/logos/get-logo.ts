import { findLogo } from '../../storage/queries/logos.ts';
import { Failure } from '../failure.ts';
import type { Registry } from '../registry.ts';
import { isTypeId } from '../type-id.ts';

/** The image of a logo, as PNG. Refuses with `logo_not_found`, also when the logo is blocked. */
export async function getLogo(registry: Registry, id: string): Promise<Uint8Array> {
  const logo = isTypeId(id, 'logo') ? await findLogo(registry.storage.reader, { id }) : null;
  if (!logo || logo.blocked_at !== null) throw new Failure('logo_not_found', 'No logo has this id.');
  return logo.png;
}

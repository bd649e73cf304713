import { Failure } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import { isTypeId } from '../../kernel/type-id.ts';
import { findLogo } from './logo-queries.ts';

/** The image of a logo, as PNG. Refuses with `logo_not_found`, also when the logo is blocked. */
export async function getLogo(registry: Registry, id: string): Promise<Uint8Array> {
  const logo = isTypeId(id, 'logo') ? await findLogo(registry.storage.reader, { id }) : null;
  if (!logo || logo.blocked_at !== null) throw new Failure('logo_not_found', 'No logo has this id.');
  return logo.png;
}

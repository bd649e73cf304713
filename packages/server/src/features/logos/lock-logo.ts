import { Failure } from '../../kernel/failure.ts';
import { isTypeId } from '../../kernel/type-id.ts';
import type { Connection } from '../../storage/query.ts';
import { findLogoForUpdate, type LogoWithoutImage } from './logo-queries.ts';

/** A logo without its image, locked until the write ends. Refuses with `logo_not_found`. */
export async function lockLogo(transaction: Connection, id: string): Promise<LogoWithoutImage> {
  const logo = isTypeId(id, 'logo') ? await findLogoForUpdate(transaction, { id }) : null;
  if (!logo) throw new Failure('logo_not_found', `No logo has the id ${id}. Check the id.`);
  return logo;
}

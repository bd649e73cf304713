import type { Logo } from '../contract/logo.ts';
import { findDeveloper } from '../storage/developers.ts';
import { insertLogo } from '../storage/logos.ts';
import type { LogoRow } from '../storage/tables.ts';
import { appendEvent } from './append-event.ts';
import { developerNotFound } from './create-app.ts';
import { refuseFaults } from './failure.ts';
import { renderLogo } from './logo-image.ts';
import { PlatformIds } from './platform-id.ts';
import type { Caller, Registry } from './registry.ts';
import { newId } from './type-id.ts';

/**
 * Stores a logo for the apps of one developer (decision 12). Refuses with `invalid_content` (not an
 * image that can be taken) or `developer_not_found`.
 */
export async function addLogo(
  registry: Registry,
  caller: Caller,
  input: { developerId: string; image: Uint8Array },
): Promise<Logo> {
  const ids = new PlatformIds();
  const developerId = ids.read(input.developerId, registry.userIdPrefix, '/developerId');
  refuseFaults(ids.faults);
  const png = await renderLogo(input.image);

  const id = newId('logo');
  const at = registry.now();
  await registry.storage.write(async (transaction) => {
    if (!(await findDeveloper(transaction, { userId: developerId }))) throw developerNotFound(developerId);
    await insertLogo(transaction, { id, developer_id: developerId, png, created_at: at });
    await appendEvent(transaction, { caller, at, type: 'logo.created', subjectId: id, after: { developerId } });
  });
  return logoView(registry, { id, developer_id: developerId });
}

export function logoView(
  { logoBaseUrl }: Pick<Registry, 'logoBaseUrl'>,
  logo: Pick<LogoRow, 'id' | 'developer_id'>,
): Logo {
  return { id: logo.id, developerId: logo.developer_id, logoUrl: `${logoBaseUrl}/${logo.id}` };
}

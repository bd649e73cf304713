import type { Logo } from '../../contract/logo.ts';
import { updateLogoBlock } from '../../storage/queries/logos.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Caller, Registry } from '../registry.ts';
import { lockLogo } from './lock-logo.ts';
import { logoView } from './logo-view.ts';

/** Makes a blocked logo visible and usable again; one that is not blocked stays as it is. Refuses with `logo_not_found`. */
export async function unblockLogo(registry: Registry, caller: Caller, id: string): Promise<Logo> {
  const row = await registry.storage.write(async (transaction) => {
    const logo = await lockLogo(transaction, id);
    if (logo.blocked_at === null) return logo;
    const unblocked = { ...logo, blocked_at: null, blocked_reason: null };
    await updateLogoBlock(transaction, unblocked);
    const before = { developerId: logo.developer_id, reason: logo.blocked_reason ?? '' };
    await appendEvent(transaction, { caller, at: registry.now(), type: 'logo.unblocked', subjectId: id, before });
    return unblocked;
  });
  return logoView(registry, row);
}

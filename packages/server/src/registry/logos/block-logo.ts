import { type Logo, LogoBlock } from '../../contract/logo.ts';
import { updateLogoBlock } from '../../storage/queries/logos.ts';
import type { LogoRow } from '../../storage/tables.ts';
import { appendEvent, type Change } from '../events/append-event.ts';
import { requireValid } from '../failure.ts';
import type { Caller, Registry } from '../registry.ts';
import { lockLogo } from './lock-logo.ts';
import { logoView } from './logo-view.ts';

/**
 * Blocks a logo (decision 28d): its image is not found, and no app can set it. A blocked logo stays as it is. Refuses with
 * `invalid_content` or `logo_not_found`.
 */
export async function blockLogo(
  registry: Registry,
  caller: Caller,
  { id, block }: { id: string; block: unknown },
): Promise<Logo> {
  const { reason } = requireValid(LogoBlock, block);
  const row = await registry.storage.write(async (transaction) => {
    const logo = await lockLogo(transaction, id);
    if (logo.blocked_at !== null) return logo;
    const at = registry.now();
    const blocked = { ...logo, blocked_at: at, blocked_reason: reason };
    await updateLogoBlock(transaction, blocked);
    await appendEvent(transaction, { caller: { ...caller, reason }, at, ...logoBlocked(blocked) });
    return blocked;
  });
  return logoView(registry, row);
}

/** The event that a logo was blocked. */
export function logoBlocked({
  id,
  developer_id: developerId,
  blocked_reason: reason,
}: Pick<LogoRow, 'id' | 'developer_id' | 'blocked_reason'>): Change {
  return { type: 'logo.blocked', subjectId: id, after: { developerId, reason: reason ?? '' } };
}

import { requireValid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { LogoRow } from '../../storage/tables.ts';
import { appendEvents, type Change } from '../events/append-event.ts';
import { lockCopies } from './lock-copies.ts';
import { type Logo, LogoBlock } from './logo.ts';
import { updateLogoBlock } from './logo-queries.ts';
import { logoView } from './logo-view.ts';

/**
 * Blocks a logo (decision 28d) and the copies that transfers have made of it: its image is not found, and no app can
 * set it. No effect on logos that are already blocked. Refuses with `invalid_content` or `logo_not_found`.
 */
export async function blockLogo(
  registry: Registry,
  caller: Caller,
  { id, block }: { id: string; block: unknown },
): Promise<Logo> {
  const { reason } = requireValid(LogoBlock, block);
  return writeIdempotently(registry, caller, {
    content: ['blockLogo', id, reason],
    work: async (transaction) => {
      const logos = await lockCopies(transaction, id);
      const at = registry.now();
      const blocked = logos
        .filter((logo) => logo.blocked_at === null)
        .map((logo) => ({ ...logo, blocked_at: at, blocked_reason: reason }));
      for (const logo of blocked) await updateLogoBlock(transaction, logo);
      await appendEvents(transaction, { caller: { ...caller, reason }, at, changes: blocked.map(logoBlocked) });
      return logoView(registry, blocked.find((logo) => logo.id === id) ?? logos[0]);
    },
  });
}

/** The event that a logo was blocked. */
export function logoBlocked({
  id,
  developer_id: developerId,
  blocked_reason: reason,
}: Pick<LogoRow, 'id' | 'developer_id' | 'blocked_reason'>): Change {
  return { type: 'logo.blocked', subjectId: id, after: { developerId, reason: reason ?? '' } };
}

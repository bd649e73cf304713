import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { appendEvents, type Change } from '../events/append-event.ts';
import { lockCopies } from './lock-copies.ts';
import type { Logo } from './logo.ts';
import { type LogoWithoutImage, updateLogoBlock } from './logo-queries.ts';
import { logoView } from './logo-view.ts';

const unblocked = { blocked_at: null, blocked_reason: null };

/**
 * Makes a blocked logo, and the copies that transfers made of it, visible and usable again. No effect on logos that are
 * not blocked. Refuses with `logo_not_found`.
 */
export async function unblockLogo(registry: Registry, caller: Caller, id: string): Promise<Logo> {
  return writeIdempotently(registry, caller, {
    content: ['unblockLogo', id],
    work: async (transaction) => {
      const logos = await lockCopies(transaction, id);
      const blocked = logos.filter((logo) => logo.blocked_at !== null);
      for (const logo of blocked) await updateLogoBlock(transaction, { ...logo, ...unblocked });
      await appendEvents(transaction, { caller, at: registry.now(), changes: blocked.map(logoUnblocked) });
      return logoView(registry, { ...logos[0], ...unblocked });
    },
  });
}

function logoUnblocked({ id, developer_id: developerId, blocked_reason: reason }: LogoWithoutImage): Change {
  return { type: 'logo.unblocked', subjectId: id, before: { developerId, reason: reason ?? '' } };
}

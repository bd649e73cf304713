import { dateTime } from '../../kernel/date-time.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { LogoRow } from '../../storage/tables.ts';
import { optional } from '../apps/app-view.ts';
import type { Logo } from './logo.ts';

export function logoView(
  { logoBaseUrl }: Pick<Registry, 'logoBaseUrl'>,
  logo: Pick<LogoRow, 'id' | 'developer_id' | 'blocked_at' | 'blocked_reason'>,
): Logo {
  return {
    id: logo.id,
    developerId: logo.developer_id,
    logoUrl: `${logoBaseUrl}/${logo.id}`,
    ...optional({
      blockedAt: logo.blocked_at === null ? null : dateTime(logo.blocked_at),
      blockedReason: logo.blocked_reason,
    }),
  };
}

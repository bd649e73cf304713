import type { Registry } from '../../kernel/registry.ts';
import { trustedTime } from '../../kernel/trusted-time.ts';
import { hashOfToken, isTokenText } from './access-token-text.ts';
import { deleteSession, deleteSessionsUntil } from './session-queries.ts';

/** Ends the session with this text, if any: its next request is refused. */
export async function endSession({ storage }: Registry, text: string): Promise<void> {
  if (!isTokenText(text, ['session'])) return;
  await storage.write((transaction) => deleteSession(transaction, { hash: hashOfToken(text) }));
}

/** Deletes expired sessions and codes. */
export async function pruneSessions(registry: Registry): Promise<void> {
  const time = await trustedTime(registry);
  await registry.storage.write((transaction) => deleteSessionsUntil(transaction, { time }));
}

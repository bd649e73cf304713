import type { Connection } from '../../storage/query.ts';
import type { EventData } from '../events/event.ts';
import { listTransfersSince } from '../suspension/suspension-queries.ts';
import { lockLogo } from './lock-logo.ts';
import { type LogoWithoutImage, listLogosForUpdate } from './logo-queries.ts';

type Owner = EventData['app.transferred']['before'];

/**
 * A logo, followed by all copies that transfers have made of it or of its original, locked until the write ends. A transfer
 * whose event is archived is not known any more. Refuses with `logo_not_found`.
 */
export async function lockCopies(
  transaction: Connection,
  id: string,
): Promise<[LogoWithoutImage, ...LogoWithoutImage[]]> {
  // First, so that a transfer that copies it now has ended before the transfers are read.
  const logo = await lockLogo(transaction, id);
  const ids = await copiesOf(transaction, id);
  return [logo, ...(ids.length === 0 ? [] : await listLogosForUpdate(transaction, ids))];
}

/** The ids of the same image, but for this one. */
async function copiesOf(transaction: Connection, id: string): Promise<string[]> {
  const copies = new Map<string, string[]>();
  for (const { before, after } of await listTransfersSince(transaction, { since: 0 })) {
    const [from, to] = [logosOf(before), logosOf(after)];
    for (const [at, original] of from.entries()) {
      const copy = to[at];
      if (!original || !copy) continue;
      copies.set(original, [...(copies.get(original) ?? []), copy]);
      copies.set(copy, [...(copies.get(copy) ?? []), original]);
    }
  }
  const found = new Set([id]);
  // A set also visits what is added meanwhile.
  for (const one of found) for (const copy of copies.get(one) ?? []) found.add(copy);
  found.delete(id);
  return [...found];
}

function logosOf(data: string | null): (string | null | undefined)[] {
  const { logoId, approvedLogoId }: Partial<Owner> = JSON.parse(data ?? '{}');
  return [logoId, approvedLogoId];
}

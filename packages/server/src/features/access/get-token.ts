import type { Registry } from '../../kernel/registry.ts';
import { isTypeId } from '../../kernel/type-id.ts';
import type { ListedAccessToken } from './access-token.ts';
import { findAccessToken } from './access-token-queries.ts';
import { listedAccessToken } from './list-tokens.ts';
import { tokenNotFound } from './revoke-token.ts';

/** A token without its secret, and whether it is valid now. Refuses with `token_not_found`. */
export async function getToken(registry: Registry, id: string): Promise<ListedAccessToken> {
  const token = isTypeId(id, 'token') ? await findAccessToken(registry.storage.reader, { id }) : null;
  if (!token) throw tokenNotFound(id);
  return listedAccessToken(token, registry.now());
}

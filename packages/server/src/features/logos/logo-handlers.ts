import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import { blockLogo } from './block-logo.ts';
import { createLogo } from './create-logo.ts';
import { deleteLogo } from './delete-logo.ts';
import { listLogos } from './list-logos.ts';
import type { logoOperations } from './logo-operations.ts';
import { unblockLogo } from './unblock-logo.ts';

/** The images that apps show. */
export function logoHandlers(registry: Registry): Handlers<typeof logoOperations> {
  return {
    listLogos: ({ query }) => listLogos(registry, query),
    createLogo: ({ caller, body }) => createLogo(registry, caller, body),
    blockLogo: ({ caller, params: { id }, body }) => blockLogo(registry, caller, { id, block: body }),
    unblockLogo: ({ caller, params: { id } }) => unblockLogo(registry, caller, id),
    deleteLogo: ({ caller, params: { id } }) => deleteLogo(registry, caller, id),
  };
}

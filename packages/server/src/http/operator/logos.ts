import type { logoOperations } from '../../contract/operations/logos.ts';
import { addLogo } from '../../registry/logos/add-logo.ts';
import { listLogos } from '../../registry/logos/list-logos.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Handlers } from './operation-route.ts';

/** The images that apps show. */
export function logoHandlers(registry: Registry): Handlers<typeof logoOperations> {
  return {
    listLogos: ({ query }) => listLogos(registry, query),
    addLogo: ({ caller, body }) => addLogo(registry, caller, body),
  };
}

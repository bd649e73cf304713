import type { Registry } from '../../kernel/registry.ts';
import { toTypeId } from '../../kernel/type-id.ts';
import { findAccessToken } from '../access/access-queries.ts';
import { findInstallation } from '../installations/installation-queries.ts';
import { findWebhook } from '../webhooks/webhook-queries.ts';
import { appHits } from './find-apps.ts';
import { developerHits } from './find-developers.ts';
import { webhookHit } from './find-webhooks.ts';
import { findInstalledWorkspace, findLogoOwner } from './found-object-queries.ts';
import type { SearchHit } from './search-result.ts';

/** Everything with an id. A bare UUID may be that of objects of several types. */
export async function findById(registry: Registry, text: string): Promise<SearchHit[]> {
  const found = await Promise.all(
    finders(registry).map(async ({ prefix, find }) => {
      const id = toTypeId(text.toLowerCase(), prefix);
      return id === null ? [] : find(id);
    }),
  );
  return found.flat();
}

interface Finder {
  prefix: string;
  find(id: string): Promise<SearchHit[]>;
}

function finders(registry: Registry): Finder[] {
  const { reader } = registry.storage;
  return [
    { prefix: 'app', find: (id) => appHits(registry, [id]) },
    { prefix: registry.userIdPrefix, find: (id) => developerHits(registry, [id]) },
    {
      prefix: registry.workspaceIdPrefix,
      find: async (workspaceId) =>
        (await findInstalledWorkspace(reader, { workspaceId })) ? [{ type: 'workspace', workspaceId }] : [],
    },
    {
      prefix: 'installation',
      find: async (id) => {
        const row = await findInstallation(reader, { id });
        return row ? [{ type: 'installation', id, appId: row.app_id, workspaceId: row.workspace_id }] : [];
      },
    },
    {
      prefix: 'logo',
      find: async (id) => {
        const row = await findLogoOwner(reader, { id });
        return row ? [{ type: 'logo', id, developerId: row.developer_id }] : [];
      },
    },
    {
      prefix: 'webhook',
      find: async (id) => {
        const row = await findWebhook(reader, { id });
        return row ? [webhookHit(row)] : [];
      },
    },
    {
      prefix: 'token',
      find: async (id) => {
        const row = await findAccessToken(reader, { id });
        return row ? [{ type: 'token', id, kind: row.kind, ...(row.name !== null && { name: row.name }) }] : [];
      },
    },
  ];
}

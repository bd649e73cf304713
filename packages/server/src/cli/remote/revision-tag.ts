import { AppRegistryError } from '../../../../client/src/index.ts';
import type { OperatorClient } from '../../../../client/src/operator/index.ts';
import type { RevisionName } from '../../kernel/revision.ts';

/** The `ETag` of a revision of an app or, without one, of the settings. A number that has none is one that matches nothing. */
export async function revisionTag(client: OperatorClient, name: RevisionName, appId?: string): Promise<string> {
  if (typeof name === 'string') return `"${name}"`;
  const etag = appId === undefined ? await settingsTag(client, name) : await appTag(client, name, appId);
  return etag ?? `"${name}"`;
}

async function settingsTag(client: OperatorClient, revision: number): Promise<string | undefined> {
  const settings = await client.settings.get();
  return settings.revision === revision ? settings.etag : undefined;
}

/** An error of this read is one that the change reports too. */
async function appTag(client: OperatorClient, revision: number, appId: string): Promise<string | undefined> {
  try {
    return (await client.apps.getRevision(appId, revision)).etag;
  } catch (error) {
    if (AppRegistryError.is(error) && error.problem) return undefined;
    throw error;
  }
}

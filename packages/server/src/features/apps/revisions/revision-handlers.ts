import type { Handlers } from '../../../kernel/handler.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { getRevision } from './get-revision.ts';
import { listRevisions } from './list-revisions.ts';
import { revertApp } from './revert-app.ts';
import type { revisionOperations } from './revision-operations.ts';

/** The history of an app's content (decision 24a). */
export function revisionHandlers(registry: Registry): Handlers<typeof revisionOperations> {
  return {
    listRevisions: ({ params: { id: appId }, query }) => listRevisions(registry, appId, query),
    getRevision: ({ params: { id: appId, revision } }) => getRevision(registry, { appId, revision }),
    revertApp: ({ caller, params: { id: appId }, body: revert, ifRevision, unlessRevision }) =>
      revertApp(registry, caller, { appId, revert, ifRevision, unlessRevision }),
  };
}

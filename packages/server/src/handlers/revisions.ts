import type { revisionOperations } from '../contract/operations/revisions.ts';
import type { Handlers } from '../kernel/handler.ts';
import type { Registry } from '../kernel/registry.ts';
import { getRevision } from '../registry/revisions/get-revision.ts';
import { listRevisions } from '../registry/revisions/list-revisions.ts';
import { revertApp } from '../registry/revisions/revert-app.ts';

/** The history of an app's content (decision 24a). */
export function revisionHandlers(registry: Registry): Handlers<typeof revisionOperations> {
  return {
    listRevisions: ({ params: { id: appId }, query }) => listRevisions(registry, appId, query),
    getRevision: ({ params: { id: appId, revision } }) => getRevision(registry, { appId, revision }),
    revertApp: ({ caller, params: { id: appId }, body: revert, ifRevision, unlessRevision }) =>
      revertApp(registry, caller, { appId, revert, ifRevision, unlessRevision }),
  };
}

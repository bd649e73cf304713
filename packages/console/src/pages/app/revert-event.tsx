import type { AppRegistryEvent } from '@appregistrar/client';
import type { AppWithWarnings } from '@appregistrar/client/operator';
import { ContentComparison } from '../../evidence/content-comparison.tsx';
import { operator } from '../../operator.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';

interface RevertEventProps {
  app: AppWithWarnings;
  event: AppRegistryEvent;
  /** Called after a revert. */
  onChange: () => void;
}

/** Undoes a change of the content: restores the revision before it, if the content is still the one shown. */
export function RevertEvent({ app, event, onChange }: RevertEventProps) {
  const { isPending, error, run } = useAction();
  const toRevision = revisionBefore(event);
  const canRevert = useHasScope('review') && app.reviewStatus !== 'AWAITING_REVIEW';
  if (!canRevert || toRevision === undefined || toRevision === app.revision) return null;
  const revert = () =>
    run(async () => {
      await operator.apps.revert(app.id, { toRevision }, { ifMatch: app.etag });
      onChange();
    });
  return (
    <div class="revert">
      <ConfirmedButton
        label="Revert"
        subject={`to revision ${toRevision}`}
        confirmLabel="Revert the content"
        disabled={isPending}
        onConfirm={revert}
      >
        <RevertEffect app={app} toRevision={toRevision} />
      </ConfirmedButton>
      {error && <RequestError error={error} />}
    </div>
  );
}

/** What a revert changes, and for whom. */
function RevertEffect({ app, toRevision }: { app: AppWithWarnings; toRevision: number }) {
  const { data, error, reload } = useRequest(
    (signal) => operator.apps.getRevision(app.id, toRevision, { signal }),
    [app, toRevision],
  );
  return (
    <div class="revert-effect" translate={false}>
      <p>
        {workspacesText(app.installationCount)} {data && effectText(app.reviewStatus, data.isApproved)}
      </p>
      {error && <RequestError error={error} retry={reload} />}
      {data && <ContentComparison now={data} earlier={app} earlierName="Now" />}
    </div>
  );
}

function workspacesText(count: number): string {
  if (count === 0) return 'No workspace has installed this app.';
  return count === 1
    ? 'One workspace has installed this app.'
    : `${count.toLocaleString()} workspaces have installed it.`;
}

function effectText(status: AppWithWarnings['reviewStatus'], isApproved: boolean): string {
  if (status !== 'APPROVED') return 'It is not approved, so customers see nothing of it.';
  return isApproved
    ? 'This is the approved content, which needs no further decision.'
    : 'The content is then a change to review.';
}

/** The revision that a change of the content replaced. Revisions are numbered without gaps. */
function revisionBefore({ type, data }: AppRegistryEvent): number | undefined {
  if (type !== 'app.updated') return undefined;
  const { revision } = (data as { after?: { revision?: number } }).after ?? {};
  return revision !== undefined && revision > 1 ? revision - 1 : undefined;
}

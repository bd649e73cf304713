import type { ListedRevision, OperatorApp, Revert } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { labelOf } from '../../content.ts';
import { Actor, namesOf } from '../../events/actor.tsx';
import { ContentComparison } from '../../evidence/content-comparison.tsx';
import { operator } from '../../operator.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { Pager } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';

interface RevisionsProps {
  app: OperatorApp;
  cursor: string | undefined;
  hrefAt: (cursor: string) => string;
  /** Called after a revert. */
  onChange: () => void;
}

/** The revisions of the content of an app, newest first, with buttons to revert to one. */
export function Revisions({ app, cursor, hrefAt, onChange }: RevisionsProps) {
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.apps.listRevisions(app.id, { cursor, actors: true }, { signal }).page(),
    [app, cursor],
  );
  const names = data && namesOf(data);
  return (
    <section aria-labelledby="revisions">
      <h2 id="revisions">Revisions</h2>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        <ol class="revisions">
          {data?.items.map((revision) => (
            <Revision
              key={revision.etag ?? revision.createdAt}
              app={app}
              revision={revision}
              actorName={revision.actor === undefined ? undefined : names?.get(revision.actor)}
              onChange={onChange}
            />
          ))}
        </ol>
        {data && <Pager page={data} hrefAt={hrefAt} of="the revisions" previous="Newer" next="Older" />}
      </div>
    </section>
  );
}

interface RevisionProps {
  app: OperatorApp;
  revision: ListedRevision;
  /** Of its actor, where it is known. */
  actorName: string | undefined;
  onChange: () => void;
}

function Revision({ app, revision, actorName, onChange }: RevisionProps) {
  const { revision: number, createdAt, actor, isCurrent, isApproved, changed } = revision;
  const name = number === undefined ? 'Earlier revision' : `Revision ${number}`;
  return (
    <li>
      <p>
        <strong>{name}</strong> {isCurrent && <span class="badge">Current</span>}{' '}
        {isApproved && <span class="badge approved">Approved</span>} {createdAt && <DateTime at={createdAt} />}{' '}
        {actor && (
          <span class="faint">
            by <Actor actor={actor} name={actorName} />
          </span>
        )}
      </p>
      {changed && changed.length > 0 && <p>Changed: {changed.map(labelOf).join(', ')}</p>}
      {number !== undefined && !isCurrent && <RevisionContent app={app} number={number} name={name} />}
      {!isCurrent && <RevertButton app={app} revision={revision} name={name} onChange={onChange} />}
    </li>
  );
}

/** The content of a revision beside the current content. Loaded when it is opened. */
function RevisionContent({ app, number, name }: { app: OperatorApp; number: number; name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Compare {name.toLowerCase()} with the current content</summary>
      {isOpen && <Comparison app={app} number={number} name={name} />}
    </details>
  );
}

function Comparison({ app, number, name }: { app: OperatorApp; number: number; name: string }) {
  const { data, error, reload } = useRequest(
    (signal) => operator.apps.getRevision(app.id, number, { signal }),
    [app, number],
  );
  if (error) return <RequestError error={error} retry={reload} />;
  if (!data) return <p class="loading">Loading…</p>;
  return <ContentComparison key={`${app.etag} ${data.etag}`} now={app} earlier={data} earlierName={name} />;
}

interface RevertButtonProps {
  app: OperatorApp;
  revision: ListedRevision;
  name: string;
  onChange: () => void;
}

/** Reverts to a revision, if the content is still the one shown and does not await review. */
function RevertButton({ app, revision, name, onChange }: RevertButtonProps) {
  const { isPending, error, run } = useAction();
  const canRevert = useHasScope('review') && app.reviewStatus !== 'AWAITING_REVIEW';
  const to = revertTo(revision);
  if (!canRevert || !to) return null;
  const revert = () =>
    run(async () => {
      await operator.apps.revert(app.id, to, { ifMatch: app.etag });
      onChange();
    });
  return (
    <>
      <ConfirmedButton
        label="Revert"
        subject={`to ${name.toLowerCase()}`}
        confirmLabel="Revert the content"
        disabled={isPending}
        onConfirm={revert}
      >
        <p>Creates a new revision with the content of {name.toLowerCase()}.</p>
      </ConfirmedButton>
      {error && <RequestError error={error} />}
    </>
  );
}

/** A revision without a number is named by its time. */
function revertTo({ revision, createdAt }: ListedRevision): Revert | undefined {
  if (revision !== undefined) return { toRevision: revision };
  return createdAt === undefined ? undefined : { toTime: createdAt };
}

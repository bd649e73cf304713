import type { OperatorDeveloper } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { ofSubject } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { CopyableId } from '../../parts/copy-button.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { forgetDeveloper, nameOf } from '../../parts/developer-name.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useRequest } from '../../use-request.ts';
import { AppsOfDeveloper } from './apps-of-developer.tsx';
import { DeveloperSteps } from './developer-steps.tsx';
import { EditDeveloper } from './edit-developer.tsx';
import { Suspended } from './suspended.tsx';

const breadcrumbs = [{ name: 'Developers', href: hrefOf(['developers']) }];

/** One developer: who they are, what can be done with them, and their apps. */
export function DeveloperPage({ id, query }: { id: string; query: URLSearchParams }) {
  const {
    data: developer,
    error,
    reload,
  } = useRequest((signal) => operator.developers.get(id, { signal }), [id], { follows: ofSubject(id) });
  const [changes, setChanges] = useState(0);
  if (error) {
    return (
      <Page title="Developer" breadcrumbs={breadcrumbs}>
        <RequestError error={error} retry={reload} />
      </Page>
    );
  }
  if (!developer) return <p class="loading">Loading…</p>;
  const onChange = () => {
    forgetDeveloper(developer.id);
    setChanges(changes + 1);
    reload();
  };
  return (
    <Page title={nameOf(developer)} breadcrumbs={breadcrumbs}>
      <Suspended developer={developer} />
      <Facts developer={developer} />
      <EditDeveloper developer={developer} onChange={onChange} />
      <DeveloperSteps developer={developer} onChange={onChange} />
      <AppsOfDeveloper developer={developer} cursor={query.get('apps') ?? undefined} changes={changes} />
    </Page>
  );
}

function Facts({ developer: { id: userId, email, suspendedAt, suspensionReason } }: { developer: OperatorDeveloper }) {
  const seesTokens = useHasScope('admin');
  return (
    <dl class="facts">
      <dt>Email address</dt>
      <dd>
        <bdi>{email}</bdi>
      </dd>
      <dt>User id</dt>
      <dd>
        <CopyableId id={userId} />
      </dd>
      {suspendedAt && (
        <>
          <dt>Suspended since</dt>
          <dd>
            <DateTime at={suspendedAt} />
          </dd>
          <dt>Reason (shared with the developer)</dt>
          <dd class="value" dir="auto">
            {suspensionReason}
          </dd>
        </>
      )}
      <dt>See also</dt>
      <dd class="choices">
        <a href={hrefOf(['apps'], { show: 'logos', developerId: userId })}>Logos</a>
        {seesTokens && <a href={hrefOf(['tokens'], { developerId: userId })}>Tokens</a>}
      </dd>
    </dl>
  );
}

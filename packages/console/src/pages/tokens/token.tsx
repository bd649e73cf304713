import type { ListedAccessToken } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { ofSubject } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { CopyableId } from '../../parts/copy-button.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { DeveloperLink } from '../../parts/developer-name.tsx';
import { IssuedSecret } from '../../parts/issued-secret.tsx';
import { Page } from '../../parts/page.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useRequest } from '../../use-request.ts';
import { RevokeToken } from './revoke-token.tsx';
import { RotateToken } from './rotate-token.tsx';
import { TokenChangesSection } from './token-changes.tsx';
import { TokenState } from './token-state.tsx';

const breadcrumbs = [{ name: 'Tokens', href: hrefOf(['tokens']) }];

/**
 * One token and what was changed with it. Those who may not see tokens, and the actor of an identity provider, which is
 * no token, get only the changes.
 */
export function TokenPage({ id, query }: { id: string; query: URLSearchParams }) {
  const seesTokens = useHasScope('admin');
  return seesTokens && !id.startsWith('oidc:') ? (
    <KnownToken id={id} query={query} />
  ) : (
    <Page title="Changes by an actor">
      <p>
        <code>{id}</code>
      </p>
      <TokenChangesSection id={id} query={query} />
    </Page>
  );
}

function KnownToken({ id, query }: { id: string; query: URLSearchParams }) {
  const {
    data: token,
    error,
    reload,
  } = useRequest((signal) => operator.tokens.get(id, { signal }), [id], { follows: ofSubject(id) });
  const [secret, setSecret] = useState<string>();
  if (error) {
    return (
      <Page title="Token" breadcrumbs={breadcrumbs}>
        <RequestError error={error} retry={reload} />
      </Page>
    );
  }
  if (!token) return <p class="loading">Loading…</p>;
  return (
    <Page title={token.name ?? 'Token'} breadcrumbs={breadcrumbs}>
      <TokenState token={token} />
      {secret && <IssuedSecret what="token" secret={secret} dismiss={() => setSecret(undefined)} />}
      <Facts token={token} />
      <div class="steps">
        <RotateToken
          token={token}
          onRotated={(rotated) => {
            setSecret(rotated);
            reload();
          }}
        />
        <RevokeToken token={token} onChange={reload} />
      </div>
      <TokenChangesSection id={id} query={query} />
    </Page>
  );
}

function Facts({ token }: { token: ListedAccessToken }) {
  const { id, kind, scopes, developerId, createdAt, expiresAt, replacedBy, revokedAt, lastUsedAt } = token;
  return (
    <dl class="facts">
      <dt>Id</dt>
      <dd>
        <CopyableId id={id} />
      </dd>
      <dt>Kind</dt>
      <dd>{kind}</dd>
      {kind === 'operator' && (
        <>
          <dt>Scopes</dt>
          <dd>{scopes?.join(', ') ?? 'None: this token cannot do anything. Create another one.'}</dd>
        </>
      )}
      {developerId && (
        <>
          <dt>Developer</dt>
          <dd>
            <DeveloperLink userId={developerId} />
          </dd>
        </>
      )}
      <dt>Issued</dt>
      <dd>
        <DateTime at={createdAt} />
      </dd>
      <dt>Last used, to the hour</dt>
      <dd>{lastUsedAt ? <DateTime at={lastUsedAt} /> : 'No recorded use'}</dd>
      <dt>Expires</dt>
      <dd>
        <DateTime at={expiresAt} />
      </dd>
      {replacedBy && (
        <>
          <dt>Replaced by</dt>
          <dd>
            <a href={hrefOf(['tokens', replacedBy])}>the new token</a>
          </dd>
        </>
      )}
      {revokedAt && (
        <>
          <dt>Revoked</dt>
          <dd>
            <DateTime at={revokedAt} />
          </dd>
        </>
      )}
      <Limits token={token} />
    </dl>
  );
}

function Limits({
  token: { kind, updatesPerMinute, readsPerMinute, requestsPerMinute },
}: {
  token: ListedAccessToken;
}) {
  if (kind === 'operator') {
    return (
      <>
        <dt>Requests per minute</dt>
        <dd>{limit(requestsPerMinute)}</dd>
      </>
    );
  }
  return (
    <>
      <dt>Updates per minute</dt>
      <dd>{limit(updatesPerMinute)}</dd>
      <dt>Reads per minute</dt>
      <dd>{limit(readsPerMinute)}</dd>
    </>
  );
}

function limit(perMinute: number | undefined): string {
  if (perMinute === undefined) return 'Default';
  return perMinute === 0 ? 'No limit' : perMinute.toLocaleString();
}

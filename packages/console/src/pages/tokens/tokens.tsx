import type { IssuedAccessToken, ListedAccessToken } from 'app-registry-client/operator';
import { useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { IssuedSecret } from '../../parts/issued-secret.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { hrefOf } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { IssueToken } from './issue-token.tsx';

/** The access tokens, with forms to issue and revoke them. */
export function TokensPage({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const [issued, setIssued] = useState<IssuedAccessToken>();
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.tokens.list({ cursor }, { signal }).page(),
    [cursor],
  );
  return (
    <Page title="Tokens">
      {issued && <IssuedSecret what="token" secret={issued.token} dismiss={() => setIssued(undefined)} />}
      <IssueToken
        onIssued={(token) => {
          setIssued(token);
          reload();
        }}
      />
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        {data && <TokenTable tokens={data.items} onChange={reload} />}
        {data && <Pager page={data} of="the tokens" hrefAt={(at) => hrefOf(['tokens'], { cursor: at })} />}
      </div>
    </Page>
  );
}

function TokenTable({ tokens, onChange }: { tokens: ListedAccessToken[]; onChange: () => void }) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col">Kind</th>
          <th scope="col">Issued</th>
          <th scope="col">Last used, to the hour</th>
          <th scope="col">Expires</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onChange={onChange} />
        ))}
      </tbody>
    </table>
  );
}

const stateClasses = { active: 'approved', expired: 'draft', revoked: 'rejected' };
const stateNames = { active: 'Active', expired: 'Expired', revoked: 'Revoked' };

function TokenRow({ token, onChange }: { token: ListedAccessToken; onChange: () => void }) {
  const { id, kind, name, scopes, developerId, createdAt, lastUsedAt, expiresAt, status } = token;
  const { isPending, error, run } = useAction();
  const revoke = () =>
    run(async () => {
      await operator.tokens.revoke(id);
      onChange();
    });
  return (
    <tr>
      <th scope="row">
        {name !== undefined && <strong dir="auto">{name}</strong>} <code>{id}</code>
      </th>
      <td data-label="Kind">
        {kind}
        {scopes && `: ${scopes.join(', ')}`} {developerId && <code>{developerId}</code>}
      </td>
      <td data-label="Issued">
        <DateTime at={createdAt} />
      </td>
      <td data-label="Last used, to the hour">
        {lastUsedAt ? <DateTime at={lastUsedAt} /> : <span class="faint">No recorded use</span>}
      </td>
      <td data-label="Expires">
        <DateTime at={expiresAt} />
      </td>
      <td data-label="State">
        <span class={`badge ${stateClasses[status]}`}>{stateNames[status]}</span>{' '}
        {status === 'active' && (
          <ConfirmedButton
            label="Revoke"
            subject={name ?? id}
            confirmLabel="Revoke permanently"
            disabled={isPending}
            onConfirm={revoke}
          />
        )}
        {error && <RequestError error={error} />}
      </td>
    </tr>
  );
}

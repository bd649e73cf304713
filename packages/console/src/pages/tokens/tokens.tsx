import { useState } from 'preact/hooks';
import { type IssuedAccessToken, type ListedAccessToken, listTokens, revokeToken } from '../../api/operations.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { IssuedSecret } from '../../parts/issued-secret.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Refused } from '../../parts/refused.tsx';
import { addressOf } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { IssueToken } from './issue-token.tsx';

/** The access tokens, to issue and to revoke. */
export function TokensPage({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor') ?? undefined;
  const [issued, setIssued] = useState<IssuedAccessToken>();
  const { answer, refusal, isAsking, askAgain } = useRequest((signal) => listTokens({ cursor }, signal), [cursor]);
  return (
    <Page title="Tokens">
      {issued && <IssuedSecret what="token" secret={issued.token} dismiss={() => setIssued(undefined)} />}
      <IssueToken
        onIssued={(token) => {
          setIssued(token);
          askAgain();
        }}
      />
      {refusal && <Refused refusal={refusal} retry={askAgain} />}
      <div aria-busy={isAsking}>
        {answer && <TokenTable tokens={answer.items} onChange={askAgain} />}
        {answer && <Pager page={answer} of="the tokens" addressAt={(at) => addressOf(['tokens'], { cursor: at })} />}
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
          <th scope="col">For</th>
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
  const { isAsking, refusal, run } = useAction();
  const revoke = () =>
    run(async () => {
      await revokeToken(id);
      onChange();
    });
  return (
    <tr>
      <th scope="row">
        {name !== undefined && <strong dir="auto">{name}</strong>} <code>{id}</code>
      </th>
      <td data-label="For">
        {kind}
        {scopes && `: ${scopes.join(', ')}`} {developerId && <code>{developerId}</code>}
      </td>
      <td data-label="Issued">
        <Moment at={createdAt} />
      </td>
      <td data-label="Last used, to the hour">
        {lastUsedAt ? <Moment at={lastUsedAt} /> : <span class="faint">No use is known</span>}
      </td>
      <td data-label="Expires">
        <Moment at={expiresAt} />
      </td>
      <td data-label="State">
        <span class={`badge ${stateClasses[status]}`}>{stateNames[status]}</span>{' '}
        {status === 'active' && (
          <ConfirmedButton
            name="Revoke"
            of={name ?? id}
            sure="Revoke for good"
            disabled={isAsking}
            onConfirm={revoke}
          />
        )}
        {refusal && <Refused refusal={refusal} />}
      </td>
    </tr>
  );
}

import type { AccessTokenWithSecret, ListedAccessToken, TokenQuery } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { DateTime } from '../../parts/date-time.tsx';
import { DeveloperLink } from '../../parts/developer-name.tsx';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { Filter } from '../../parts/form/filter.tsx';
import { IssuedSecret } from '../../parts/issued-secret.tsx';
import { SortHeader } from '../../parts/list/sort-header.tsx';
import { TotalCount } from '../../parts/list/total-count.tsx';
import { NoMatches } from '../../parts/no-matches.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { useRequest } from '../../use-request.ts';
import { CreateToken } from './create-token.tsx';
import { RevokeToken } from './revoke-token.tsx';
import { TokenState } from './token-state.tsx';

/** The access tokens, with forms to create and revoke them. */
export function TokensPage({ query }: { query: URLSearchParams }) {
  const filter = { kind: query.get('kind') ?? undefined, developerId: query.get('developerId') ?? undefined };
  const cursor = query.get('cursor') ?? undefined;
  const sort = query.get('sort') ?? undefined;
  const [issued, setIssued] = useState<AccessTokenWithSecret>();
  const canCreate = useHasScope('admin');
  const { data, error, isPending, reload } = useRequest(
    (signal) =>
      operator.tokens.list({ ...({ ...filter, sort } as TokenQuery), cursor, withTotal: true }, { signal }).page(),
    [filter.kind, filter.developerId, sort, cursor],
    { follows: ofTypes('token.', 'developer.') },
  );
  return (
    <Page title="Tokens">
      {issued && <IssuedSecret what="token" secret={issued.token} dismiss={() => setIssued(undefined)} />}
      {canCreate && (
        <CreateToken
          onCreated={(token) => {
            setIssued(token);
            reload();
          }}
        />
      )}
      <Filter path={['tokens']} query={query} error={error} retry={reload}>
        <SelectField name="/kind" label="Kind of token" defaultValue={filter.kind ?? ''}>
          <option value="">Any</option>
          <option>operator</option>
          <option>platform</option>
          <option>developer</option>
        </SelectField>
        <TextField
          name="/developerId"
          label="User id of its developer"
          type="search"
          defaultValue={filter.developerId}
        />
      </Filter>
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <NoMatches of="tokens" path={['tokens']} />}
        {data && <TotalCount page={data} of="tokens" />}
        {data && data.items.length > 0 && <TokenTable tokens={data.items} query={query} onChange={reload} />}
        {data && (
          <Pager page={data} of="the tokens" hrefAt={(at) => hrefOf(['tokens'], { ...filter, sort, cursor: at })} />
        )}
      </div>
    </Page>
  );
}

interface TokenTableProps {
  tokens: ListedAccessToken[];
  query: URLSearchParams;
  onChange: () => void;
}

function TokenTable({ tokens, query, onChange }: TokenTableProps) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col">Kind</th>
          <th scope="col">Issued</th>
          <th scope="col">Last used, to the hour</th>
          <SortHeader name="expiresAt" label="Expires" path={['tokens']} query={query} />
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

function TokenRow({ token, onChange }: { token: ListedAccessToken; onChange: () => void }) {
  const { id, kind, name, scopes, developerId, createdAt, lastUsedAt, expiresAt } = token;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf(['tokens', id])} title={id} dir="auto">
          {name ?? id}
        </a>
      </th>
      <td data-label="Kind">
        {kind}
        {scopes && `: ${scopes.join(', ')}`} {developerId && <DeveloperLink userId={developerId} />}
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
        <TokenState token={token} /> <RevokeToken token={token} onChange={onChange} />
      </td>
    </tr>
  );
}

import type { Logo } from '@appregistrar/client/operator';
import { Image } from 'lucide';
import { useState } from 'preact/hooks';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { Empty } from '../../parts/empty.tsx';
import { DeveloperField } from '../../parts/form/developer-field.tsx';
import { Filter } from '../../parts/form/filter.tsx';
import { NoMatches } from '../../parts/no-matches.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import { LogoCard } from './logo-card.tsx';

/** The logos of all developers or of one, with buttons to block and delete them. */
export function LogosPage({ query }: { query: URLSearchParams }) {
  const filter = { developerId: query.get('developerId') ?? undefined };
  const cursor = query.get('cursor') ?? undefined;
  const [message, setMessage] = useState('');
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.logos.list({ ...filter, cursor }, { signal }).page(),
    [filter.developerId, cursor],
    { follows: ofTypes('logo.') },
  );
  const done = (text: string) => {
    setMessage(text);
    reload();
  };
  return (
    <Page title="Logos">
      <Filter path={['logos']} query={query} error={error} retry={reload}>
        <DeveloperField name="/developerId" label="Developer" defaultValue={filter.developerId} submits />
      </Filter>
      <p role="status">{message}</p>
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <NoLogos isFiltered={filter.developerId !== undefined} />}
        {data && data.items.length > 0 && <Logos logos={data.items} done={done} />}
        {data && <Pager page={data} of="the logos" hrefAt={(at) => hrefOf(['logos'], { ...filter, cursor: at })} />}
      </div>
    </Page>
  );
}

function NoLogos({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? <NoMatches of="logos" path={['logos']} /> : <Empty icon={Image} text="No logos yet." />;
}

function Logos({ logos, done }: { logos: Logo[]; done: (message: string) => void }) {
  return (
    <ul class="logos">
      {logos.map((logo) => (
        <LogoCard key={logo.id} logo={logo} done={done} />
      ))}
    </ul>
  );
}

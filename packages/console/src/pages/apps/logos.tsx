import type { Logo } from '@appregistrar/client/operator';
import { Image } from 'lucide';
import { useState } from 'preact/hooks';
import { ofTypes } from '../../live/changes.ts';
import { operator } from '../../operator.ts';
import { Empty } from '../../parts/empty.tsx';
import { DeveloperField } from '../../parts/form/developer-field.tsx';
import { Filter } from '../../parts/form/filter.tsx';
import { NoMatches } from '../../parts/no-matches.tsx';
import { Pager, pageSize } from '../../parts/pager.tsx';
import { hrefOf } from '../../route.ts';
import { useRequest } from '../../use-request.ts';
import { LogoCard } from './logo-card.tsx';

const shown = { show: 'logos' };

/** The logos of all developers or of one, with buttons to block and delete them. */
export function Logos({ query }: { query: URLSearchParams }) {
  const filter = { developerId: query.get('developerId') ?? undefined };
  const cursor = query.get('cursor') ?? undefined;
  const [message, setMessage] = useState('');
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.logos.list({ ...filter, cursor, limit: pageSize }, { signal }).page(),
    [filter.developerId, cursor],
    { follows: ofTypes('logo.') },
  );
  const done = (text: string) => {
    setMessage(text);
    reload();
  };
  return (
    <>
      <Filter path={['apps']} query={query} error={error} retry={reload}>
        <input type="hidden" name="/show" value="logos" />
        <DeveloperField name="/developerId" label="Developer" defaultValue={filter.developerId} submits />
      </Filter>
      <p role="status">{message}</p>
      <div aria-busy={isPending}>
        {data?.items.length === 0 && <NoLogos isFiltered={filter.developerId !== undefined} />}
        {data && data.items.length > 0 && <LogoCards logos={data.items} done={done} />}
        {data && (
          <Pager page={data} of="the logos" hrefAt={(at) => hrefOf(['apps'], { ...shown, ...filter, cursor: at })} />
        )}
      </div>
    </>
  );
}

function NoLogos({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <NoMatches of="logos" path={['apps']} query={shown} />
  ) : (
    <Empty icon={Image} text="No logos yet." />
  );
}

function LogoCards({ logos, done }: { logos: Logo[]; done: (message: string) => void }) {
  return (
    <ul class="logos">
      {logos.map((logo) => (
        <LogoCard key={logo.id} logo={logo} done={done} />
      ))}
    </ul>
  );
}

import { Compass } from 'lucide';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { hrefOf } from '../route.ts';

/** For an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Page title="No such page">
      <Empty icon={Compass} text="The console has no page at this address.">
        <p>
          The address may be mistyped, or from another version. Go to{' '}
          <a href={hrefOf(['review'])}>what waits for review</a> or to <a href={hrefOf(['apps'])}>all apps</a>.
        </p>
      </Empty>
    </Page>
  );
}

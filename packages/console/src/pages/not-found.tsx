import { Compass } from 'lucide';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { hrefOf } from '../route.ts';

/** For an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <Empty icon={Compass} text="The console has no page at this address.">
        <p>
          Check the address, or go to the <a href={hrefOf(['review'])}>review queue</a> or{' '}
          <a href={hrefOf(['apps'])}>all apps</a>.
        </p>
      </Empty>
    </Page>
  );
}

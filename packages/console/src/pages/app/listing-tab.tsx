import type { OperatorApp } from 'app-registry-client/operator';
import { contentRows } from '../../content.ts';
import { MarketplaceCard } from '../../evidence/marketplace-card.tsx';
import type { AppTabProps } from './app-tab-props.ts';
import { ContentTable } from './content-table.tsx';
import { LogoUpload } from './logo-upload.tsx';
import { TransferApp } from './transfer-app.tsx';

/** What the app is in a marketplace, and what can be changed of it. */
export function ListingTab({ app, reload }: AppTabProps) {
  return (
    <>
      <div class="glance">
        <Content app={app} />
        <div>
          <MarketplaceCard app={app} />
        </div>
      </div>
      <LogoUpload app={app} onChange={reload} />
      <TransferApp app={app} onDone={reload} />
    </>
  );
}

/** The content of an app, beside the approved content if the two differ. */
function Content({ app }: { app: OperatorApp }) {
  const rows = contentRows(app, app.approved);
  const showsApproved = rows.some(({ hasChanged }) => hasChanged);
  return (
    <section aria-labelledby="content">
      <h2 id="content">Content</h2>
      <ContentTable
        rows={rows}
        now={app.approved && !showsApproved ? 'Current (as approved)' : 'Current'}
        {...(showsApproved && { earlier: 'Approved' })}
      />
    </section>
  );
}

import { ContentComparison } from '../../evidence/content-comparison.tsx';
import { MarketplaceCards } from '../../evidence/marketplace-card.tsx';
import type { AppTabProps } from './app-tab-props.ts';
import { DeleteApp } from './delete-app.tsx';
import { EditContent } from './edit-content.tsx';
import { LogoUpload } from './logo-upload.tsx';
import { TransferApp } from './transfer-app.tsx';

/** What the app is in a marketplace, and what can be changed of it. */
export function ListingTab({ app, reload }: AppTabProps) {
  return (
    <>
      <section class="evidence" aria-labelledby="content">
        <h2 id="content">Content</h2>
        <MarketplaceCards now={app} earlier={undefined} earlierName="" />
        <ContentComparison now={app} earlier={undefined} earlierName="" />
      </section>
      <EditContent app={app} onChange={reload} />
      <LogoUpload app={app} onChange={reload} />
      <TransferApp app={app} onDone={reload} />
      <DeleteApp app={app} onDeleted={reload} />
    </>
  );
}

import type { OperatorApp } from 'app-registry-client/operator';
import { AppLogo } from '../parts/app-logo.tsx';
import { bestText, contrastMin } from './contrast.ts';

/** An app as a marketplace shows it, on its background colour, with a warning if that is hard to read. */
export function MarketplaceCard({ app: { name, logoId, listingInfo } }: { app: OperatorApp }) {
  const { backgroundColor, shortDescription, longDescription } = listingInfo;
  const { color, ratio } = bestText(backgroundColor);
  return (
    <>
      <article class="card" style={{ backgroundColor, color }} aria-label="Marketplace card">
        <AppLogo name={name} logoId={logoId} size={64} />
        <div>
          <p class="card-name" dir="auto">
            {name}
          </p>
          {shortDescription && <p dir="auto">{shortDescription}</p>}
        </div>
        {longDescription && (
          <p class="card-long" dir="auto">
            {longDescription}
          </p>
        )}
      </article>
      {!shortDescription && !longDescription && <p class="faint">The app has no description yet.</p>}
      {ratio < contrastMin && (
        <p class="warning" role="note">
          Hard to read: neither dark nor white text reaches a contrast of {contrastMin} : 1 on {backgroundColor}, as
          WCAG AA requires. The better one has {Math.floor(ratio * 100) / 100} : 1.
        </p>
      )}
    </>
  );
}

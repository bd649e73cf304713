import type { AppContentField } from '../../../server/src/features/apps/app-content.ts';
import { AppLogo } from '../parts/app-logo.tsx';
import { type Content, compareContent } from './comparison.ts';
import { bestText } from './contrast.ts';

interface MarketplaceCardsProps {
  now: Content;
  earlier: Content | undefined;
  /** The label of the earlier content. */
  earlierName: string;
}

/** An app as a marketplace shows it, beside how it was if that looks different. */
export function MarketplaceCards({ now, earlier, earlierName }: MarketplaceCardsProps) {
  const looksDifferent = compareContent(now, earlier).some(({ isOnCard, change }) => change && isOnCard);
  return (
    <div class="cards">
      {looksDifferent && earlier && <MarketplaceCard content={earlier} caption={earlierName} />}
      <MarketplaceCard content={now} caption={looksDifferent ? 'Now' : undefined} />
    </div>
  );
}

/** The size that marketplaces use: a long text is cut off. */
function MarketplaceCard({ content, caption }: { content: Content; caption: string | undefined }) {
  const {
    name = '',
    logoId,
    'listingInfo.shortDescription': shortDescription,
    'listingInfo.longDescription': longDescription,
    'listingInfo.backgroundColor': backgroundColor = '',
    ...unshown
  } = valuesOnCard(content);
  // A field of the card that this component does not show fails to compile here.
  unshown satisfies Record<string, never>;
  const { color } = bestText(backgroundColor);
  return (
    <figure>
      {caption && <figcaption>{caption}</figcaption>}
      <article
        class="card"
        style={{ backgroundColor, color }}
        aria-label={caption ? `Marketplace card: ${caption}` : 'Marketplace card'}
      >
        <AppLogo name={name} logoId={logoId} size={56} />
        <div>
          <p class="card-name" dir="auto">
            {name}
          </p>
          {shortDescription && (
            <p class="card-short" dir="auto">
              {shortDescription}
            </p>
          )}
        </div>
        {longDescription && (
          <p class="card-long" dir="auto">
            {longDescription}
          </p>
        )}
        {!shortDescription && !longDescription && <p>No description yet.</p>}
      </article>
    </figure>
  );
}

type PathOnCard = Extract<AppContentField, { isOnCard: true }>['path'];

function valuesOnCard(content: Content): { [Path in PathOnCard]?: string } {
  const fields = compareContent(content, undefined).filter(({ isOnCard }) => isOnCard);
  return Object.fromEntries(fields.map(({ path, now }) => [path, now]));
}

import type { AppWithWarnings, OperatorApp, QueueItem } from 'app-registry-client/operator';
import { compareContent } from './comparison.ts';
import type { FieldMark } from './field-mark.tsx';
import { MarketplaceCard } from './marketplace-card.tsx';
import { WarningList } from './warning-list.tsx';

interface EvidenceProps {
  app: OperatorApp | AppWithWarnings;
  /** The app in the review queue; without it, what this says of decisions is loaded. */
  item?: QueueItem | undefined;
  /** The messages for the developer about single fields so far. */
  marks?: readonly FieldMark[];
  /** Receives all messages whenever one of them changes. Without it, there are no buttons to write one. */
  onMark?: ((marks: FieldMark[]) => void) | undefined;
}

/** What a reviewer decides on: the content of an app, what has changed of it and what to look at. */
export function Evidence({ app, item }: EvidenceProps) {
  const warnings = item?.warnings ?? ('warnings' in app ? app.warnings : []);
  const fields = compareContent(app.current, app.approved);
  return (
    <div class="evidence">
      <MarketplaceCard app={app} />
      <WarningList warnings={warnings} />
      {fields.map(({ path, label, now }) => (
        <section key={path} aria-label={label}>
          <h3>{label}</h3>
          <p dir="auto">{now ?? 'Empty'}</p>
        </section>
      ))}
    </div>
  );
}

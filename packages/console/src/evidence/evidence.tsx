import {
  type AppWithWarnings,
  approvedContent,
  type DecisionSummary,
  type OperatorApp,
  type QueueItem,
} from '@appregistrar/client/operator';
import { useId, useState } from 'preact/hooks';
import { appContentFields } from '../../../server/src/features/apps/app-content.ts';
import { RequestError } from '../parts/request-error.tsx';
import { ContentComparison } from './content-comparison.tsx';
import type { FieldMark } from './field-mark.tsx';
import { FieldWarnings } from './field-warnings.tsx';
import { LastDecision } from './last-decision.tsx';
import { MarketplaceCards } from './marketplace-card.tsx';
import { useLastDecision } from './use-last-decision.ts';

interface EvidenceProps {
  app: OperatorApp | AppWithWarnings;
  /** The app in the review queue; without it, its last decision is loaded. */
  item?: QueueItem | undefined;
  /** The messages for the developer about single fields so far. */
  marks?: readonly FieldMark[];
  /** Receives all messages whenever one of them changes. Without it, there are no buttons to write one. */
  onMark?: ((marks: FieldMark[]) => void) | undefined;
}

/** What the content is compared with. */
type Baseline = 'approved' | 'decision';

/** What a reviewer decides on: the content of an app, what has changed of it and what to look at. */
export function Evidence({ app, item, marks = [], onMark }: EvidenceProps) {
  const [chosen, setChosen] = useState<Baseline>('approved');
  const { decision, actorName, content, error, reload } = useLastDecision(app, item, chosen === 'decision');
  const approved = approvedContent(app);
  const isOther = decision !== undefined && decision.revision !== approved?.revision;
  const baseline = isOther ? chosen : 'approved';
  const earlier = baseline === 'decision' ? content : approved;
  const earlierName = baseline === 'decision' ? 'Last decision' : 'Approved';
  const warnings = item?.warnings ?? ('warnings' in app ? app.warnings : []);
  const since = item?.sinceLastDecision;
  const changedSinceDecision = isOther && since ? (since.fields ?? item.fields) : undefined;
  // Drawn anew for other content: a page translation replaces text nodes, so that updates of them would not show.
  const shown = [app.etag, baseline, (baseline === 'decision' ? decision : approved)?.revision, item?.fields].join(' ');
  return (
    <div key={shown} class="evidence" translate={false}>
      {decision && <LastDecision decision={decision} actorName={actorName} changed={changedSinceDecision} />}
      <FieldWarnings warnings={warnings.filter(({ field }) => !knownFields.has(field))} />
      {isOther && <BaselineChoice app={app} decision={decision} chosen={baseline} choose={setChosen} />}
      {error && <RequestError error={error} retry={reload} />}
      {baseline === 'decision' && !content ? (
        !error && <p class="loading">Loading…</p>
      ) : (
        <>
          <MarketplaceCards now={app} earlier={earlier} earlierName={earlierName} />
          <ContentComparison
            now={app}
            earlier={earlier}
            earlierName={earlierName}
            remarks={{
              warnings,
              lastDecision: decision,
              changedSinceDecision: baseline === 'approved' ? (changedSinceDecision ?? []) : [],
              marks,
              onMark,
            }}
          />
        </>
      )}
    </div>
  );
}

const knownFields = new Set<string>(appContentFields.map(({ path }) => path));

interface BaselineChoiceProps {
  app: OperatorApp;
  decision: DecisionSummary;
  chosen: Baseline;
  choose: (baseline: Baseline) => void;
}

function BaselineChoice({ app, decision, chosen, choose }: BaselineChoiceProps) {
  const group = useId();
  const approved = approvedContent(app);
  const names: Record<Baseline, string> = {
    approved: approved ? `The approved content (revision ${approved.revision})` : 'Nothing (never approved)',
    decision: `The last decision (revision ${decision.revision})`,
  };
  return (
    <fieldset class="baseline">
      <legend>Compare with</legend>
      {(['approved', 'decision'] as const).map((baseline) => (
        <label key={baseline} class="choice">
          <input type="radio" name={group} checked={chosen === baseline} onChange={() => choose(baseline)} />
          {names[baseline]}
        </label>
      ))}
    </fieldset>
  );
}

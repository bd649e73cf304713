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
import { type Content, compareContent } from './comparison.ts';
import { ContentComparison } from './content-comparison.tsx';
import type { FieldMark } from './field-mark.tsx';
import { LastDecision } from './last-decision.tsx';
import { MarketplaceCards } from './marketplace-card.tsx';
import { RiskBanner } from './risk-banner.tsx';
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

/** What a reviewer decides on: the risks of an app, what has changed of its content, and how it looks. */
export function Evidence({ app, item, marks = [], onMark }: EvidenceProps) {
  const since = item?.sinceLastDecision;
  const [chosen, setChosen] = useState<Baseline>();
  const approved = approvedContent(app);
  const isSubmitted = app.reviewStatus === 'AWAITING_REVIEW';
  const wanted = chosen ?? (isSubmitted ? 'decision' : 'approved');
  const needsContent = wanted === 'decision' && since !== undefined && !since.isUnchanged;
  const { decision, content, error, reload } = useLastDecision(app, item, needsContent);
  const isOther = decision !== undefined && decision.revision !== approved?.revision;
  const baseline = isOther ? wanted : 'approved';
  // Nothing needs loading where nothing has changed.
  const decided = since?.isUnchanged ? app : content;
  const earlier = baseline === 'decision' ? decided : approved;
  const earlierRevision = (baseline === 'decision' ? decision : approved)?.revision;
  const earlierName = baseline === 'decision' ? 'Last decision' : 'Approved';
  const warnings = item?.warnings ?? ('warnings' in app ? app.warnings : []);
  const changedSinceDecision = isOther && since ? (since.fields ?? item.fields) : undefined;
  // Drawn anew for other content: a page translation replaces text nodes, so that updates of them would not show.
  const shown = [app.etag, baseline, earlierRevision, item?.fields, since?.decision.id].join(' ');
  return (
    <div key={shown} class="evidence" translate={false}>
      {decision && decision.step !== 'approve' && (
        <LastDecision decision={decision} isUnchanged={isSubmitted && since?.isUnchanged === true} />
      )}
      <RiskBanner app={app} warnings={warnings} changed={item?.fields ?? []} />
      <div class="changes-head">
        <h2>{earlier || baseline === 'approved' ? changesTitle(app, earlier, earlierRevision) : 'Changes'}</h2>
        {isOther && (
          <BaselineChoice decision={decision} approved={approved?.revision} chosen={baseline} choose={setChosen} />
        )}
      </div>
      {error && <RequestError error={error} retry={reload} />}
      {baseline === 'decision' && !earlier ? (
        !error && <p class="loading">Loading…</p>
      ) : (
        <>
          <ContentComparison
            now={app}
            earlier={earlier}
            earlierName={earlierName}
            remarks={{
              warnings: warnings.filter(({ field }) => knownFields.has(field)),
              lastDecision: decision,
              changedSinceDecision: baseline === 'approved' ? (changedSinceDecision ?? []) : [],
              marks,
              onMark,
            }}
          />
          <h2>Preview</h2>
          <MarketplaceCards now={app} earlier={earlier} earlierName={earlierName} />
        </>
      )}
    </div>
  );
}

const knownFields = new Set<string>(appContentFields.map(({ path }) => path));

/** "3 changes since revision 4" */
function changesTitle(app: OperatorApp, earlier: Content | undefined, revision: number | undefined): string {
  const fields = compareContent(app, earlier);
  const count = fields.filter(({ change, now }) => (earlier ? change : now !== undefined)).length;
  if (!earlier) return `${count} ${count === 1 ? 'field' : 'fields'}`;
  return `${count === 0 ? 'No' : count} ${count === 1 ? 'change' : 'changes'} since revision ${revision}`;
}

interface BaselineChoiceProps {
  decision: DecisionSummary;
  /** The revision that was approved, if one was. */
  approved: number | undefined;
  chosen: Baseline;
  choose: (baseline: Baseline) => void;
}

function BaselineChoice({ decision, approved, chosen, choose }: BaselineChoiceProps) {
  const id = useId();
  return (
    <p class="baseline">
      <label for={id}>Compared with</label>
      <select id={id} value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value as Baseline)}>
        <option value="approved">{approved === undefined ? 'Nothing' : `Approved (revision ${approved})`}</option>
        <option value="decision">Last decision (revision {decision.revision})</option>
      </select>
    </p>
  );
}

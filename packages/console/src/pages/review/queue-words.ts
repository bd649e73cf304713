import type { AppWithWarnings, OperatorApp, QueueItem } from '@appregistrar/client/operator';
import { labelOf } from '../../content.ts';
import { riskInShort } from '../../evidence/risks.ts';

/** What there is to decide on: "Change to an approved app". */
export function kindOf({ kind, app, fields, sinceLastDecision }: QueueItem): string {
  if (kind === 'transfer')
    return fields.length > 0 ? 'Change and new developer of an approved app' : 'New developer of an approved app';
  if (kind === 'change') return 'Change to an approved app';
  if (sinceLastDecision) return 'App submitted again';
  return app.changedSinceApproval === undefined ? 'New app' : 'App that was approved before';
}

/** What should be looked at first, in the words of a row: empty where nothing is. */
export function risksOf({ warnings, sinceLastDecision, kind }: QueueItem): string[] {
  const repeated = kind === 'submission' && sinceLastDecision?.isUnchanged ? ['Resubmitted without changes'] : [];
  return [...new Set([...repeated, ...warnings.map(riskInShort)])];
}

/** "Description, Colour", or "New app". */
export function changesOf({ kind, app, fields, sinceLastDecision, warnings }: QueueItem): string {
  const transferred = kind === 'transfer' ? ['New developer'] : [];
  if (kind === 'submission' && sinceLastDecision) {
    if (sinceLastDecision.isUnchanged) return '';
    return `Resubmitted: ${(sinceLastDecision.fields ?? fields).map(labelOf).join(', ')}`;
  }
  if (kind === 'submission' && app.changedSinceApproval === undefined) return 'New app';
  const warned = new Set(warnings.map(({ field }) => field));
  return [...transferred, ...fields.filter((field) => !warned.has(field)).map(labelOf)].join(', ');
}

/** "31 workspaces", or "first app" of a developer. */
export function reachOf({ app: { installationCount }, developerCounts: { apps } }: QueueItem): string {
  if (installationCount > 0) return workspaces(installationCount);
  const others = apps.approved + apps.rejected + apps.awaitingReview + apps.deleted - 1;
  return others > 0 ? '' : 'first app';
}

export function workspaces(count: number): string {
  return count === 1 ? '1 workspace' : `${count.toLocaleString()} workspaces`;
}

/** What customers see now of the content to decide on. */
export function seenNow({ effective, approved, changedSinceApproval }: OperatorApp | AppWithWarnings): string {
  if (!effective) return 'customers do not see it yet';
  if (effective.source === 'approved') return `customers still see revision ${approved?.revision}`;
  return changedSinceApproval ? 'customers already see this' : 'customers see it';
}

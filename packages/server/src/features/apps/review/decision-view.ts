import { dateTime } from '../../../kernel/date-time.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { revisionETag } from '../../../kernel/revision.ts';
import type { DecisionRow } from '../../../storage/tables.ts';
import { optional, wholeContentView } from '../app-view.ts';
import { contentOfSnapshot } from '../content-snapshot.ts';
import type { Decision, DecisionSummary } from './decision.ts';

/** The parts of the registry that the view of a decision depends on, and the access of the caller. */
export interface DecisionViewBase extends Pick<Registry, 'epoch'> {
  /** Whether the caller may read what is only for reviewers. */
  showsNotes: boolean;
}

/** A decision with the content that was decided on. */
export function decisionView(base: DecisionViewBase, row: DecisionRow): Decision {
  return { ...decisionSummary(base, row), content: wholeContentView(contentOfSnapshot(JSON.parse(row.content))) };
}

export function decisionSummary(base: DecisionViewBase, row: DecisionRow): DecisionSummary {
  return {
    id: row.event_id,
    // As stored: a later release may have stored another one.
    step: row.step as DecisionSummary['step'],
    revision: row.revision,
    etag: revisionETag(base, row),
    decidedAt: dateTime(row.decided_at),
    actor: row.actor,
    ...optional({ code: row.code, message: row.message, note: base.showsNotes ? row.note : null }),
    ...(row.fields !== null && { fields: JSON.parse(row.fields) }),
  };
}

import { useState } from 'preact/hooks';
import type { ContentKind } from '../../../server/src/features/apps/app-content.ts';
import { type ComparedField, type Content, compareContent } from './comparison.ts';
import { FieldEvidence, type FieldRemarks, isRemarkable, isWarned } from './field-evidence.tsx';
import { pointerOf } from './field-mark.tsx';

interface ContentComparisonProps {
  now: Content;
  /** Without it, the content is shown alone. */
  earlier: Content | undefined;
  /** The label of the earlier content. */
  earlierName: string;
  remarks?: FieldRemarks;
}

/** The content field by field: first what is risky, then what has changed or is remarkable. The rest is folded. */
export function ContentComparison({ now, earlier, earlierName, remarks }: ContentComparisonProps) {
  const fields = compareContent(now, earlier);
  const ranked = fields.map((field) => ({ field, rank: rankOf(field, { remarks, isNew: !earlier }) }));
  const isShown = ({ rank }: (typeof ranked)[number]) => rank < 3;
  const shown = ranked
    .filter(isShown)
    .toSorted((one, other) => one.rank - other.rank || weights[one.field.kind] - weights[other.field.kind]);
  const rest = ranked.filter((one) => !isShown(one)).map(({ field }) => field);
  return (
    <>
      {earlier && !remarks && fields.every(({ change }) => !change) && <p>Nothing has changed.</p>}
      {shown.length > 0 && (
        <div class="compared-fields">
          {shown.map(({ field }) => (
            <FieldEvidence key={field.path} field={field} earlierName={earlierName} remarks={remarks} />
          ))}
        </div>
      )}
      {rest.length > 0 && (
        <FoldedFields
          key={earlierName}
          title={`${rest.length} ${rest.length === 1 ? 'field' : 'fields'} ${earlier ? 'unchanged' : 'empty'}`}
          fields={rest}
          remarks={remarks}
          isOpenFirst={shown.length === 0}
        />
      )}
    </>
  );
}

/** Which kind comes first: what can harm people most. */
const weights: Record<ContentKind, number> = { url: 0, name: 1, logo: 2, line: 3, lines: 4, colour: 5 };

interface Compared {
  remarks: FieldRemarks | undefined;
  /** Whether there is nothing to compare with: then every value counts as a change. */
  isNew: boolean;
}

function rankOf(field: ComparedField, { remarks, isNew }: Compared): number {
  if (isWarned(field, remarks)) return 0;
  if (field.change || (isNew && field.now !== undefined) || remarks?.changedSinceDecision.includes(field.path))
    return 1;
  return isRemarkable(field, remarks) ? 2 : 3;
}

interface FoldedFieldsProps {
  title: string;
  fields: ComparedField[];
  remarks: FieldRemarks | undefined;
  isOpenFirst: boolean;
}

/** Opened at first where there is nothing else to see, or a message of a draft. */
function FoldedFields({ title, fields, remarks, isOpenFirst }: FoldedFieldsProps) {
  const hasMark = fields.some(({ path }) => remarks?.marks.some(({ pointer }) => pointer === pointerOf(path)));
  const [isOpen] = useState(isOpenFirst || hasMark);
  return (
    <details class="rest" open={isOpen}>
      <summary>
        {title}: {fields.map(({ label }) => label).join(', ')}
      </summary>
      <div class="compared-fields">
        {fields.map((field) => (
          <FieldEvidence key={field.path} field={field} earlierName="" remarks={remarks} />
        ))}
      </div>
    </details>
  );
}

import { useState } from 'preact/hooks';
import { type ComparedField, type Content, compareContent } from './comparison.ts';
import { FieldEvidence, type FieldRemarks, isRemarkable } from './field-evidence.tsx';
import { pointerOf } from './field-mark.tsx';

interface ContentComparisonProps {
  now: Content;
  /** Without it, the content is shown alone. */
  earlier: Content | undefined;
  /** The label of the earlier content. */
  earlierName: string;
  remarks?: FieldRemarks;
}

/** The content field by field: first what has changed, then what is remarkable; the rest is folded. */
export function ContentComparison({ now, earlier, earlierName, remarks }: ContentComparisonProps) {
  const fields = compareContent(now, earlier).map((field) => ({ field, rank: rankOf(field, remarks) }));
  const isShown = ({ field, rank }: (typeof fields)[number]) => rank < 2 || (!earlier && field.now !== undefined);
  const shown = fields.filter(isShown).toSorted((one, other) => one.rank - other.rank);
  const rest = fields.filter((one) => !isShown(one)).map(({ field }) => field);
  return (
    <>
      {earlier && fields.every(({ field }) => !field.change) && <p>Nothing has changed.</p>}
      {shown.map(({ field }) => (
        <FieldEvidence key={field.path} field={field} earlierName={earlierName} remarks={remarks} />
      ))}
      {rest.length > 0 && (
        <FoldedFields
          key={earlierName}
          title={earlier ? 'Not changed' : 'Empty'}
          fields={rest}
          remarks={remarks}
          isOpenFirst={shown.length === 0}
        />
      )}
    </>
  );
}

function rankOf(field: ComparedField, remarks: FieldRemarks | undefined): number {
  if (field.change || remarks?.changedSinceDecision.includes(field.path)) return 0;
  return isRemarkable(field, remarks) ? 1 : 2;
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
      {fields.map((field) => (
        <FieldEvidence key={field.path} field={field} earlierName="" remarks={remarks} />
      ))}
    </details>
  );
}

import type { DecisionSummary, ReviewWarning } from '@appregistrar/client/operator';
import { TriangleAlert } from 'lucide';
import type { ComponentType } from 'preact';
import { useId } from 'preact/hooks';
import type { ContentKind } from '../../../server/src/features/apps/app-content.ts';
import { Icon } from '../parts/icon.tsx';
import { AddressValue } from './address-value.tsx';
import { ColourValue, ContrastWarning, isHardToRead } from './colour-value.tsx';
import type { ComparedField } from './comparison.ts';
import { type FieldMark, FieldMarker, pointerOf } from './field-mark.tsx';
import { LogoValue } from './logo-value.tsx';
import { TextValue } from './text-value.tsx';

/** What a review has about single fields. */
export interface FieldRemarks {
  warnings: readonly ReviewWarning[];
  /** The decision before this review. */
  lastDecision?: DecisionSummary | undefined;
  /** The fields that have changed since then. */
  changedSinceDecision: readonly string[];
  marks: readonly FieldMark[];
  onMark?: ((marks: FieldMark[]) => void) | undefined;
}

interface FieldEvidenceProps {
  field: ComparedField;
  /** The label of the earlier content. */
  earlierName: string;
  remarks: FieldRemarks | undefined;
}

/** A field with its change and messages. Its warnings are above all fields. */
export function FieldEvidence({ field, earlierName, remarks }: FieldEvidenceProps) {
  const { path, label, change } = field;
  const id = useId();
  const isChangedSince = !change && remarks?.changedSinceDecision.includes(path);
  return (
    <section class="compared-field" aria-labelledby={id}>
      <div class="field-head">
        <h3 id={id}>{label}</h3>
        {isWarned(field, remarks) && (
          <span class="risky">
            <Icon of={TriangleAlert} size={14} />
            <span class="visually-hidden">See the warnings.</span>
          </span>
        )}
        {change && change !== 'changed' && <small class="faint">{notes[change]}</small>}
        {isChangedSince && <small class="risky">Changed since the last decision</small>}
      </div>
      <div class="field-value">
        <Value field={field} earlierName={earlierName} />
        {warnsOfContrast(field) && <ContrastWarning background={field.now} />}
        {messagesOf(field, remarks).map((message) => (
          <p key={message} class="earlier-message">
            <strong>{remarks?.lastDecision?.actorName ?? 'In the last decision'}:</strong>{' '}
            <span dir="auto">{message}</span>
          </p>
        ))}
      </div>
      {remarks?.onMark && (
        <FieldMarker pointer={pointerOf(path)} label={label} marks={remarks.marks} onMark={remarks.onMark} />
      )}
    </section>
  );
}

const notes = { added: 'Added', removed: 'Removed' };

export function isWarned({ path }: ComparedField, remarks: FieldRemarks | undefined): boolean {
  return remarks?.warnings.some(({ field }) => field === path) === true;
}

/** Whether a reviewer should see a field even though it has not changed. */
export function isRemarkable(field: ComparedField, remarks: FieldRemarks | undefined): boolean {
  return (
    messagesOf(field, remarks).length > 0 ||
    remarks?.changedSinceDecision.includes(field.path) === true ||
    warnsOfContrast(field)
  );
}

function warnsOfContrast(field: ComparedField): field is ComparedField & { now: string } {
  return field.kind === 'colour' && field.now !== undefined && isHardToRead(field.now);
}

function messagesOf({ path }: ComparedField, remarks: FieldRemarks | undefined): string[] {
  const messages = remarks?.lastDecision?.fields ?? [];
  return messages.filter(({ pointer }) => pointer === pointerOf(path)).map(({ message }) => message);
}

function Value({ field, earlierName }: Pick<FieldEvidenceProps, 'field' | 'earlierName'>) {
  if (field.now === undefined && !field.change) return <p class="faint">Empty</p>;
  const ValueOfKind = values[field.kind];
  return <ValueOfKind field={field} earlierName={earlierName} />;
}

const values: Record<ContentKind, ComponentType<Pick<FieldEvidenceProps, 'field' | 'earlierName'>>> = {
  name: TextValue,
  line: TextValue,
  lines: TextValue,
  logo: LogoValue,
  colour: ColourValue,
  url: AddressValue,
};

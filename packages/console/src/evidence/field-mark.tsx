import type { Rejection } from '@appregistrar/client/operator';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ContentPath } from '../../../server/src/features/apps/app-content.ts';
import { leaveComment } from '../pages/review/field-keys.ts';

/** A message for the developer about one field: one of the `fields` of a rejection. */
export type FieldMark = NonNullable<Rejection['fields']>[number];

const messageCharactersMax = 2_000;

interface FieldMarkerProps {
  pointer: FieldMark['pointer'];
  label: string;
  marks: readonly FieldMark[];
  onMark: (marks: FieldMark[]) => void;
}

/** A button at a field that opens a comment for its developer. Without a visible character it is none. */
export function FieldMarker({ pointer, label, marks, onMark }: FieldMarkerProps) {
  const message = marks.find((mark) => mark.pointer === pointer)?.message;
  const [state, setState] = useState<'idle' | 'opened' | 'removed'>('idle');
  const focused = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (state !== 'idle') focused.current?.focus();
  }, [state]);
  const write = (text: string) => {
    const others = marks.filter((mark) => mark.pointer !== pointer);
    onMark(text.trim() === '' ? others : [...others, { pointer, message: text }]);
  };
  if (message === undefined && state !== 'opened') {
    return (
      <button
        type="button"
        class="small quiet"
        ref={(button) => {
          focused.current = button;
        }}
        data-comment
        aria-label={`Comment on ${label}`}
        onClick={() => setState('opened')}
      >
        Comment
      </button>
    );
  }
  return (
    <div class="mark">
      <label>
        <span class="visually-hidden">Comment on {label}</span>
        <textarea
          ref={(text) => {
            focused.current = text;
          }}
          rows={1}
          data-comment
          placeholder="To the developer, with your decision"
          maxLength={messageCharactersMax}
          dir="auto"
          value={message ?? ''}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={leaveByKey}
        />
      </label>
      <button
        type="button"
        class="small"
        aria-label={`Remove the comment on ${label}`}
        onClick={() => {
          write('');
          setState('removed');
        }}
      >
        Remove
      </button>
    </div>
  );
}

/** Back to the field with Ctrl+Enter or Escape, which then does nothing else. */
function leaveByKey(event: KeyboardEvent): void {
  const isDone = event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
  if (!isDone || event.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  leaveComment(event.currentTarget as HTMLElement);
}

/** The JSON Pointer to a field of the content, by which decisions name it. */
export function pointerOf(path: ContentPath): FieldMark['pointer'] {
  return `/${path.replaceAll('.', '/')}` as FieldMark['pointer'];
}

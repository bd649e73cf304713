import type { Rejection } from '@appregistrar/client/operator';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ContentPath } from '../../../server/src/features/apps/app-content.ts';

/** A message for the developer about one field: one of the `fields` of a rejection. */
export type FieldMark = NonNullable<Rejection['fields']>[number];

const messageCharactersMax = 2_000;

interface FieldMarkerProps {
  pointer: FieldMark['pointer'];
  label: string;
  marks: readonly FieldMark[];
  onMark: (marks: FieldMark[]) => void;
}

/** A button at a field that opens a small text for its developer. Without a visible character it is no mark. */
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
        aria-label={`Mark ${label}`}
        onClick={() => setState('opened')}
      >
        Mark
      </button>
    );
  }
  return (
    <div class="mark">
      <label>
        Message about {label} (shared with the developer)
        <textarea
          ref={(text) => {
            focused.current = text;
          }}
          rows={2}
          maxLength={messageCharactersMax}
          dir="auto"
          value={message ?? ''}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
      </label>
      <button
        type="button"
        class="small"
        aria-label={`Remove the message about ${label}`}
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

/** The JSON Pointer to a field of the content, by which decisions name it. */
export function pointerOf(path: ContentPath): FieldMark['pointer'] {
  return `/${path.replaceAll('.', '/')}` as FieldMark['pointer'];
}

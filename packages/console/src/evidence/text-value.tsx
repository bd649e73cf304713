import { useMemo } from 'preact/hooks';
import { Characters } from './characters.tsx';
import type { ComparedField } from './comparison.ts';
import { type TextPart, textDifference } from './text-difference.ts';

/** A text, with the words that have changed or, in a name, the characters. */
export function TextValue({ field: { kind, now = '', earlier = '', change } }: { field: ComparedField }) {
  const unit = kind === 'name' ? 'grapheme' : 'word';
  const parts = useMemo(
    () => (change ? textDifference(earlier, now, unit) : [{ kind: 'same', text: now } as const]),
    [earlier, now, change, unit],
  );
  const isReplaced = parts.length > 1 && parts.every((part) => part.kind !== 'same');
  return (
    <p class={isReplaced ? 'value difference replaced' : 'value difference'} dir="auto">
      {[...parts.entries()].map(([at, part]) => (
        <Part key={at} {...part} />
      ))}
    </p>
  );
}

function Part({ kind, text }: TextPart) {
  if (kind === 'same') return <Characters text={text} />;
  const shown = <Characters text={/\S/.test(text) ? text : visibleSpace(text)} />;
  return kind === 'removed' ? <del dir="auto">{shown}</del> : <ins dir="auto">{shown}</ins>;
}

/** A change of nothing but white space would be hard to see. */
function visibleSpace(text: string): string {
  return text.replaceAll(/\r?\n/g, '↵\n').replaceAll(' ', '␣');
}

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Characters } from './characters.tsx';
import type { ComparedField } from './comparison.ts';
import { type TextPart, textDifference } from './text-difference.ts';

/** How much of what has not changed is shown beside a change, so that the change is in view. */
const shownMax = 120;

/** A text, with the words that have changed or, in a name, the characters. A long one is cut off until all is wanted. */
export function TextValue({ field: { kind, label, now = '', earlier = '', change } }: { field: ComparedField }) {
  const unit = kind === 'name' ? 'grapheme' : 'word';
  const text = useRef<HTMLParagraphElement>(null);
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  const parts = useMemo(
    () => (change ? textDifference(earlier, now, unit) : [{ kind: 'same', text: now } as const]),
    [earlier, now, change, unit],
  );
  const isReplaced = parts.length > 1 && parts.every((part) => part.kind !== 'same');
  const shown = isWhole ? parts : excerpt(parts);
  // An observer, as reading the height here would lay out the page once more.
  useLayoutEffect(() => {
    if (!text.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const { scrollHeight = 0, clientHeight = 0 } = entry?.target ?? {};
      setCut(scrollHeight > clientHeight + 1);
    });
    observer.observe(text.current);
    return () => observer.disconnect();
  }, [parts]);
  const isLong = !isWhole && (isCut || shown !== parts);
  return (
    <>
      <p ref={text} class={`value difference${isReplaced ? ' replaced' : ''}${isWhole ? '' : ' clamped'}`} dir="auto">
        {[...shown.entries()].map(([at, part]) => (
          <Part key={at} {...part} />
        ))}
      </p>
      {isLong && (
        <button
          type="button"
          class="small quiet show-all"
          aria-label={`Show all of ${label}`}
          onClick={() => setWhole(true)}
        >
          Show all
        </button>
      )}
    </>
  );
}

/** The changes with what is around them. The same list where nothing is left out. */
function excerpt(parts: readonly TextPart[]): readonly TextPart[] {
  if (parts.length === 1) return parts;
  const shown = parts.map((part, at) =>
    part.kind === 'same'
      ? { ...part, text: around(part.text, { isFirst: at === 0, isLast: at === parts.length - 1 }) }
      : part,
  );
  return shown.every(({ text }, at) => text === parts[at]?.text) ? parts : shown;
}

function around(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const [start, end] = [isFirst ? 0 : shownMax, isLast ? 0 : shownMax];
  const characters = [...text];
  if (characters.length <= start + end + shownMax) return text;
  return `${characters.slice(0, start).join('')}…${end > 0 ? characters.slice(-end).join('') : ''}`;
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

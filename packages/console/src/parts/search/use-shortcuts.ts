import { useLayoutEffect, useRef } from 'preact/hooks';
import { areKeysOn } from '../../pages/review/keys.ts';
import { hrefOf } from '../../route.ts';

/** The sections that the key G and another one lead to. */
const sectionKeys: Record<string, string> = { r: 'review', a: 'apps', d: 'developers' };

/** How long after G the other key may follow. */
const sequenceMsMax = 1_500;

/** Keys of every page: Ctrl K, also within fields, and / lead to the search, G and a letter to a section. */
export function useShortcuts(openSearch: () => void): void {
  const latest = useRef(openSearch);
  latest.current = openSearch;
  useLayoutEffect(() => {
    let wentAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (event.repeat || event.altKey || event.isComposing || document.querySelector('dialog[open]')) return;
      const key = keyOf(event);
      const isAfterG = performance.now() - wentAt < sequenceMsMax;
      if (key !== 'Shift') wentAt = Number.NEGATIVE_INFINITY;
      if (event.ctrlKey || event.metaKey) {
        if (key === 'k' && !event.shiftKey) search(event);
        return;
      }
      if (!areKeysOn() || isField(event.target)) return;
      const section = isAfterG ? sectionKeys[key] : undefined;
      if (section !== undefined) {
        take(event, () => {
          location.hash = hrefOf([section]);
        });
      } else if (key === '/') search(event);
      else if (key === 'g' && !event.shiftKey) wentAt = performance.now();
    };
    const search = (event: KeyboardEvent) => take(event, latest.current);
    // Before the keys of the page: after G, a letter does nothing else.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

function take(event: KeyboardEvent, action: () => void): void {
  event.preventDefault();
  event.stopImmediatePropagation();
  action();
}

/** A letter by its place where the keyboard writes another script. */
function keyOf({ key, code }: KeyboardEvent): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  return key.length === 1 && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

import { useLayoutEffect } from 'preact/hooks';
import { hrefOf } from '../../route.ts';
import { areKeysOn } from '../review/keys.ts';
import { focusNewestRevert } from './activity-tab.tsx';

/** `U` on the page of an app leads to the button that undoes its newest change, on whichever tab. */
export function useUndoKey(appId: string): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isUndoKey(event) || !areKeysOn()) return;
      event.preventDefault();
      if (!focusNewestRevert()) location.hash = hrefOf(['apps', appId, 'activity'], { undo: 'newest' });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [appId]);
}

function isUndoKey({ key, ctrlKey, metaKey, altKey, repeat, target, defaultPrevented }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 'u' || ctrlKey || metaKey || altKey || repeat || defaultPrevented) return false;
  if (document.querySelector('dialog[open]')) return false;
  return !(target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]'));
}

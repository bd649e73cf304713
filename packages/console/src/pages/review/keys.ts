import { useLayoutEffect, useRef } from 'preact/hooks';

/** The keys of the review mode, in the order of the help. `Control+K` works in fields too. */
export const keyNames = {
  j: 'Next app',
  k: 'Previous app',
  a: 'Approve',
  r: 'Send back',
  z: 'Undo the latest decision',
  n: 'Next field',
  p: 'Previous field',
  m: 'Comment on the field',
  x: 'Select the app, to approve several together',
  'Shift+X': 'Select all from there to this one',
  v: 'Revert the change',
  c: 'Assign to yourself, or release',
  '?': 'Show keyboard shortcuts',
  '/': 'Search, or run a command',
  'Control+K': 'Search, also from within a field',
} as const;
export type Key = keyof typeof keyNames;

/** Whether single keys do something. Software for speech input types letters by itself. */
const offKey = 'review-keys-off';

export function areKeysOn(): boolean {
  return localStorage.getItem(offKey) === null;
}

export function setKeysOn(isOn: boolean): void {
  if (isOn) localStorage.removeItem(offKey);
  else localStorage.setItem(offKey, '1');
}

/** Runs the action of a key that is pressed outside of fields and dialogs. */
export function useKeys(actions: Partial<Record<Key, () => void>>): void {
  const latest = useRef(actions);
  latest.current = actions;
  // A layout effect: a key may be pressed as soon as the page is shown.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = keyOf(event);
      const action = key && latest.current[key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** A key that is held down is pressed once: otherwise it would decide app after app. */
function keyOf(event: KeyboardEvent): Key | undefined {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey, repeat, target, defaultPrevented } = event;
  if (repeat || altKey || defaultPrevented || document.querySelector('dialog[open]')) return undefined;
  if (ctrlKey || metaKey) return isLetter(event, 'k') && !shiftKey ? 'Control+K' : undefined;
  if (!areKeysOn() || isField(target)) return undefined;
  // On some keyboards these two need Shift.
  if (key === '/' || key === '?') return key;
  if (shiftKey) return isLetter(event, 'x') ? 'Shift+X' : undefined;
  return letters.find((letter) => isLetter({ key, code }, letter));
}

const letters = ['j', 'k', 'a', 'r', 'z', 'n', 'p', 'm', 'x', 'v', 'c'] as const;

/** By its place where the keyboard writes another script. */
function isLetter({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>, letter: string): boolean {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

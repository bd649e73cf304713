import { useLayoutEffect } from 'preact/hooks';

/** Escape leaves what is open, wherever in the page the keyboard is. */
export function useEscape(isOpen: boolean, leave: () => void): void {
  // With what is shown, and not a moment later: the key may come at once.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && leave();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen, leave]);
}

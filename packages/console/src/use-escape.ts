import { useLayoutEffect } from 'preact/hooks';

/** Calls `close` on Escape while `isOpen`, wherever the keyboard focus is. */
export function useEscape(isOpen: boolean, close: () => void): void {
  // A layout effect: the key may be pressed as soon as the element is shown.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen, close]);
}

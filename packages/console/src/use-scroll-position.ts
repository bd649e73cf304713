import { useLayoutEffect, useRef } from 'preact/hooks';

/** Where the reader was in each entry of the history of this window, in pixels. */
const positions = new Map<number, number>();
/** The current one. */
let entry = 0;

/**
 * Shows a new page from its top, and one that Back or Forward lead to where the reader left it. The browser would do so
 * before there is anything to scroll to.
 */
export function useScrollPosition(page: string): void {
  const shown = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    const note = () => positions.set(entry, window.scrollY);
    window.addEventListener('scroll', note, { passive: true });
    return () => window.removeEventListener('scroll', note);
  }, []);
  useLayoutEffect(() => {
    const known = (history.state as { entry?: number } | null)?.entry;
    if (known !== undefined) {
      entry = known;
      return restore(positions.get(known) ?? 0);
    }
    // A number that the history has not had, also before the window was loaded again.
    entry = Math.max(entry + 1, Date.now());
    history.replaceState({ entry }, '');
    if (page !== shown.current) window.scrollTo(0, 0);
    return undefined;
  }, [page, location.hash]);
  useLayoutEffect(() => {
    shown.current = page;
  });
}

/** Scrolls as soon as the page is long enough, unless the reader does something first. */
function restore(position: number): () => void {
  const observer = new ResizeObserver(scroll);
  const stop = () => {
    observer.disconnect();
    for (const type of reading) window.removeEventListener(type, stop);
  };
  for (const type of reading) window.addEventListener(type, stop, { passive: true });
  observer.observe(document.body);
  scroll();
  return stop;

  function scroll(): void {
    window.scrollTo(0, position);
    if (Math.abs(window.scrollY - position) < 1) stop();
  }
}

const reading = ['wheel', 'touchstart', 'keydown', 'pointerdown'];

import { useEffect, useState } from 'preact/hooks';
import { age, ago, justAgo } from '../ago.ts';

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const tickMs = 30_000;

/** A time as people count it, which follows the clock; exact, with the zone of the user, as tooltip and for screen readers. */
export function DateTime({ at }: { at: string }) {
  useTicks();
  const exactly = exact.format(new Date(at));
  return (
    <time dateTime={at} title={exactly}>
      {ago(at, Date.now())}
      <span class="visually-hidden"> ({exactly})</span>
    </time>
  );
}

/** How long ago, as short as it can be. A screen reader gets the exact time instead. */
export function Age({ at, lateFrom }: { at: string; lateFrom?: string }) {
  useTicks();
  const isLate = lateFrom !== undefined && Date.parse(lateFrom) < Date.now();
  const exactly = exact.format(new Date(at));
  return (
    <time class={isLate ? 'age late' : 'age'} dateTime={at} title={exactly}>
      <span aria-hidden="true">{age(at, Date.now())}</span>
      <span class="visually-hidden">
        {exactly}
        {isLate && ', late'}
      </span>
    </time>
  );
}

/** A time that has just passed, by the second at first. Screen readers do not read out that time goes on. */
export function RecentTime({ at }: { at: string }) {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const ticking = window.setInterval(() => setTicks((ticks) => ticks + 1), 1_000);
    return () => clearInterval(ticking);
  }, []);
  return (
    <time dateTime={at} title={exact.format(new Date(at))} aria-live="off">
      {justAgo(at, Date.now())}
    </time>
  );
}

const shown = new Set<() => void>();
let timer: number | undefined;

/** Renders the component again as time passes. All of them share one timer. */
function useTicks(): void {
  const [, setTicks] = useState(0);
  useEffect(() => {
    const render = () => setTicks((ticks) => ticks + 1);
    shown.add(render);
    timer ??= window.setInterval(renderAll, tickMs);
    return () => {
      shown.delete(render);
      if (shown.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
}

function renderAll(): void {
  for (const render of shown) render();
}

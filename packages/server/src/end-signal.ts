import { environment } from './config/env.ts';

const parentCheckMs = 500;

/** Calls back whenever this process is told to end: by a signal, or by the end of what started it. */
export function onEndSignal(listener: () => void): void {
  process.on('SIGTERM', listener).on('SIGINT', listener).on('disconnect', listener);
  // npm passes a signal to the shell between it and this process, which dies of it alone.
  if (environment.npm_lifecycle_event) onParentEnd(listener);
}

function onParentEnd(listener: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listener();
  }, parentCheckMs);
  timer.unref();
}

import { environment } from './config/env.ts';

const parentCheckMs = 500;

/** Calls back when this process should stop: by a signal, or because the process that started it has ended. */
export function onEndSignal(listener: () => void): void {
  process.on('SIGTERM', listener).on('SIGINT', listener).on('disconnect', listener);
  // npm sends the signal to the shell between it and this process, and only the shell dies.
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

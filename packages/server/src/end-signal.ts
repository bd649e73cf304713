import type { EventEmitter } from 'node:events';
import { environment } from './config/env.ts';

const parentCheckMs = 500;
const sameSignalMs = 50;
const exitMsMax = 1_000;

/** Calls back when this process should stop: by a signal, or because the process that started it has ended. */
export function onEndSignal(listener: () => void, signals: EventEmitter = process): void {
  signals.on('SIGTERM', listener).on('SIGINT', listener).on('disconnect', listener);
  // npm sends the signal to the shell between it and this process, and only the shell dies.
  if (environment.npm_lifecycle_event) onParentEnd(listener);
}

interface SignalSource {
  signals?: EventEmitter;
  /** Milliseconds that never go back. */
  now?: () => number;
}

/** Resolves when this process should stop. Then calls `exitAtOnce` at the next such signal. */
export function untilEndSignal(
  exitAtOnce: () => void,
  { signals, now = () => performance.now() }: SignalSource = {},
): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    onEndSignal(() => {
      // A terminal sends its signal to npm and to this process, and npm forwards it: that counts as one signal.
      if (firstAt !== undefined && now() - firstAt > sameSignalMs) exitAtOnce();
      firstAt ??= now();
      resolve();
    }, signals);
  });
}

/** Ends this process soon even if a write of the log never returns. */
export function exitSoon(): void {
  setTimeout(() => process.exit(), exitMsMax).unref();
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

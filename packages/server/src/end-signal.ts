import type { EventEmitter } from 'node:events';
import { environment } from './config/env.ts';

const endSignals = ['SIGTERM', 'SIGINT', 'disconnect'];
const parentCheckMs = 500;
const sameSignalMs = 50;
const exitMsMax = 1_000;
/** Enough to send the responses to requests that have just failed. */
const failureMs = 250;

/**
 * Calls back when this process should stop: by a signal, or because the process that started it has ended. Returns a
 * function that ends that.
 */
export function onEndSignal(listener: () => void, signals: EventEmitter = process): () => void {
  for (const signal of endSignals) signals.on(signal, listener);
  // npm sends the signal to the shell between it and this process, and only the shell dies.
  const timer = environment.npm_lifecycle_event ? onParentEnd(listener) : undefined;
  return () => {
    for (const signal of endSignals) signals.off(signal, listener);
    clearInterval(timer);
  };
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

/** Ends this process in a moment, with a status that makes a service manager start it again. Closes nothing. */
export function failSoon(): void {
  setTimeout(() => process.exit(1), failureMs);
}

function onParentEnd(listener: () => void): NodeJS.Timeout {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listener();
  }, parentCheckMs);
  return timer.unref();
}

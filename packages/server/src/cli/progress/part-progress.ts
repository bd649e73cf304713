import { type ProgressOptions, progressLine, timeLeft } from './progress-line.ts';

/** Shows how far a command is, and how long it will take. */
export function partProgress(command: string, options?: ProgressOptions) {
  const line = progressLine(command, options);
  return {
    /** From 0 to 1. */
    show: (done: number): void =>
      line.show((elapsedMs) => {
        const part = Math.min(1, done);
        return { part, text: `${Math.floor(part * 100)} %${timeLeft(part, elapsedMs)}` };
      }),
    end: line.end,
  };
}

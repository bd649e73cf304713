import { type ProgressOptions, progressLine, rate } from './progress-line.ts';

/** Shows how many objects a command has read, and how many a second. */
export function objectProgress(command: string, options?: ProgressOptions) {
  const line = progressLine(command, options);
  return {
    show: (objects: number): void =>
      line.show((elapsedMs) => ({ text: `${objects} objects${rate(objects, elapsedMs)}` })),
    end: line.end,
  };
}

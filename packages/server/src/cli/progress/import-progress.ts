import { type ProgressOptions, progressLine, rate, timeLeft } from './progress-line.ts';

/** Shows how far an import is, how many records it reads a second and how long it will take. */
export function importProgress(totalBytes: number, options?: ProgressOptions) {
  const line = progressLine('import', options);
  return {
    show: (bytes: number, records: number): void =>
      line.show((elapsedMs) => {
        const counted = `${records} records${rate(records, elapsedMs)}`;
        if (totalBytes === 0) return { text: counted };
        const part = Math.min(1, bytes / totalBytes);
        return { part, text: `${Math.floor(part * 100)} %, ${counted}${timeLeft(part, elapsedMs)}` };
      }),
    end: line.end,
  };
}

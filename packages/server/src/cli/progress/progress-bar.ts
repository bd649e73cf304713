const width = 30;
const intervalMs = 100;

/** Shows progress on a terminal. Elsewhere it does nothing. */
export function progressBar(total: number, terminal: NodeJS.WriteStream = process.stderr) {
  if (!terminal.isTTY) return { show: () => {}, end: () => {} };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: (done: number): void => {
      if (performance.now() - shownAt < intervalMs) return;
      shownAt = performance.now();
      const part = total === 0 ? 1 : Math.min(1, done / total);
      const filled = Math.round(part * width);
      const percent = String(Math.floor(part * 100)).padStart(3);
      terminal.write(`\r[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${percent} %`);
    },
    /** Clears the line. */
    end: (): void => {
      terminal.write('\r\u001b[K');
    },
  };
}

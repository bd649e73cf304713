const intervalMs = 100;

/** Shows on a terminal how many objects a long command has read, and how many a second. Elsewhere it does nothing. */
export function objectProgress(terminal: NodeJS.WriteStream = process.stderr) {
  if (!terminal.isTTY) return { show: () => {}, end: () => {} };
  const beganAt = performance.now();
  let shownAt = beganAt;
  return {
    show: (objects: number): void => {
      const now = performance.now();
      if (now - shownAt < intervalMs) return;
      shownAt = now;
      terminal.write(`\r\u001b[K${objects} objects, ${Math.round((objects * 1_000) / (now - beganAt))} a second`);
    },
    /** Clears the line. */
    end: (): void => {
      terminal.write('\r\u001b[K');
    },
  };
}

/** File descriptors for everything but public connections. Of fewer than twice as many, half are reserved. */
const reservedMax = 512;

export interface ConnectionLimits {
  public: number;
  operator: number;
}

/**
 * How many connections the listeners accept at most. A flood on the public listener must leave descriptors to the
 * operator listener, so that a supervisor gets its response, and to the database, files and webhooks.
 */
export function connectionLimits(connectionsMax: number, openFilesMax: number = readOpenFilesMax()): ConnectionLimits {
  const reserved = Math.min(reservedMax, Math.floor(openFilesMax / 2));
  return {
    public: Math.min(connectionsMax || Number.POSITIVE_INFINITY, openFilesMax - reserved),
    operator: Math.ceil(reserved / 4),
  };
}

/** The limit of this process, which Node has raised as far as it may be. */
function readOpenFilesMax(): number {
  // Otherwise the report looks up the names of all peers.
  Object.assign(process.report, { excludeNetwork: true });
  const report: { userLimits?: { open_files?: { soft?: number | string } } } = process.report.getReport();
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

import { type DrainLimits, drainLimits } from '../../src/http/listener/connections.ts';

/** For a server that no one else uses: its idle connections need no time to be used once more. */
export const quickStop: DrainLimits = { ...drainLimits, noticeMs: 0, retentionMs: 0 };

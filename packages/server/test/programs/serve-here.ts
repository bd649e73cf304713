import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { readConfig } from '../../src/config/config.ts';
import { type DrainLimits, drainLimits } from '../../src/http/listener/connections.ts';
import { startServer } from '../../src/serve.ts';

export type ServedHere = Awaited<ReturnType<typeof serveHere>>;

/** Serves a database in this process, on free ports unless the variables say otherwise. */
export async function serveHere(databaseUrl: string, variables: Record<string, string> = {}, log = new CapturedLog()) {
  const addresses = { PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0' };
  const server = await startServer(readConfig({ DATABASE_URL: databaseUrl, ...addresses, ...variables }), log.logger);
  return {
    log,
    publicUrl: `http://127.0.0.1:${server.publicAddress.port}`,
    operatorUrl: `http://127.0.0.1:${server.operatorAddress.port}`,
    /** No one else uses it: its idle connections need no time to be used once more. */
    stop: (limits: Partial<DrainLimits> = {}) =>
      server.stop({ ...drainLimits, noticeMs: 0, retentionMs: 0, ...limits }),
  };
}

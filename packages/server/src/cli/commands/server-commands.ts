import { Command } from 'commander';
import { type Address, formatAddress } from '../../config/address.ts';
import { example } from '../command-options.ts';
import { configOf, printResult } from '../registry-action.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the server until SIGTERM or SIGINT. Environment variables configure it.')
    .addHelpText('after', example('DATABASE_URL=sqlite:./data/registry.db app-registry serve'))
    .action(async function action(this: Command) {
      const config = configOf(this);
      const { serve } = await import('../../serve.ts');
      return serve(config);
    });
}

const timeoutMs = 5_000;

/** A server on this machine is not ready, or does not respond. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

export function healthcheckCommand(): Command {
  return new Command('healthcheck')
    .description('Check that the server at OPERATOR_ADDRESS is ready (/readyz). For container health checks.')
    .addHelpText('after', example('app-registry healthcheck'))
    .action(async function action(this: Command) {
      printResult(this, await readinessOf(configOf(this).operatorAddress));
    });
}

/** The response of a server on this machine. Throws `NotReady`. */
async function readinessOf(address: Address): Promise<object> {
  const url = `http://${formatAddress(reachable(address))}/readyz`;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
    throw new NotReady(
      `No server responds at ${url} (${causeOf(error)}). Check that it is running with this OPERATOR_ADDRESS.`,
    );
  });
  if (response.ok) return (await response.json()) as object;
  throw new NotReady(`The server is not ready: ${await detailOf(response)}`);
}

/** What the problem details of a response say, if that is what it has. */
async function detailOf(response: Response): Promise<string> {
  const problem = (await response.json().catch(() => ({}))) as { detail?: string };
  return problem.detail ?? `it responds with ${response.status}.`;
}

/** An address that stands for all of this machine is no address to connect to everywhere. */
function reachable({ host, port }: Address): Address {
  const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  return { host: loopback[host] ?? host, port };
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : `no response within ${timeoutMs / 1_000} s`;
}

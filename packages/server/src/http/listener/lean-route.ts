import type { TokenHolder } from '../../features/access/authenticate.ts';
import type { HolderOf, Restricted } from '../auth/bearer-auth.ts';
import type { Quota } from '../limits/rate-limit.ts';
import type { Exchange, PreparedResponse } from './exchange.ts';

/**
 * A route that is served on `node:http` itself: the framework would take longer than the work of the request. For
 * clients it is like any other route of a public listener.
 */
export interface LeanRoute<Granted extends Restricted = Restricted> {
  /** GET serves HEAD, too. */
  method: 'GET' | 'PATCH';
  path: `/${string}/:id`;
  access: Granted;
  /** Counts a request against a limit of its holder, once that is known (decision 17: before 403). */
  count(holder: TokenHolder): Quota;
  /**
   * Starts while the token is looked up, so that what it reads first is in the same batch. Awaits the holder before
   * anything else: the problem of the token or its quota precedes any other.
   */
  handle(exchange: Exchange, id: string, admitted: Promise<HolderOf<Granted>>): Promise<PreparedResponse>;
}

/** A lean route whose `handle` receives the holder that its access guarantees. */
export function leanRoute<const Granted extends Restricted>(declared: LeanRoute<Granted>): LeanRoute {
  return declared;
}

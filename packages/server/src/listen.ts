import type { FastifyInstance } from 'fastify';
import { type Address, formatAddress } from './config/address.ts';

/** Returns the address with the assigned port. Throws a `ListenError`. */
export async function listen(app: FastifyInstance, address: Address): Promise<Address> {
  try {
    await app.listen(address);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : String(error);
    throw new ListenError(
      `Cannot listen on ${formatAddress(address)}: ${reason}. Free the address if it is in use, or choose another one.`,
    );
  }
  const bound = app.server.address();
  return bound !== null && typeof bound === 'object' ? { host: bound.address, port: bound.port } : address;
}

/** An address cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

import { isIP } from 'node:net';

/** Where a listener is. */
export interface Address {
  host: string;
  port: number;
}

/** As `HOST:PORT`, with brackets around an IPv6 address. */
export function text({ host, port }: Address): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

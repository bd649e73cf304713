import { isIP } from 'node:net';

/** Where a listener listens. */
export interface Address {
  host: string;
  port: number;
}

/** `HOST:PORT`, with brackets around an IPv6 address. */
export function formatAddress({ host, port }: Address): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether the host is always this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

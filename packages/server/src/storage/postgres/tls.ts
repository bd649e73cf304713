import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type ConnectionOptions, getCACertificates } from 'node:tls';
import type { PostgresHost, TlsSettings } from '../connection-settings.ts';

/** Whether to encrypt, in the order in which to try it with one server. */
export function encryptionOrder({ mode }: TlsSettings, { name }: PostgresHost): boolean[] {
  // What goes through a Unix socket stays on this machine.
  if (mode === 'disable' || name.startsWith('/')) return [false];
  if (mode === 'prefer') return [true, false];
  return mode === 'allow' ? [false, true] : [true];
}

/**
 * How to encrypt and what to verify, with files as they are now: certificates expire and are replaced. With certificates of
 * authorities, the server's has to be of one of them in every mode, as with libpq.
 */
export async function tlsOptions(tls: TlsSettings, { name }: PostgresHost): Promise<ConnectionOptions> {
  const isNameVerified = tls.mode === 'verify-full';
  return {
    host: name,
    ...(!isIP(name) && { servername: name }),
    rejectUnauthorized: isNameVerified || tls.rootCertificate !== null,
    ...(!isNameVerified && { checkServerIdentity: () => undefined }),
    ...(tls.rootCertificate !== null && { ca: await authorities(tls.rootCertificate) }),
    ...(tls.certificate !== null && { cert: await readFile(tls.certificate) }),
    ...(tls.key !== null && { key: await readFile(tls.key) }),
    ...(tls.keyPassword !== null && { passphrase: tls.keyPassword }),
  };
}

async function authorities(file: string): Promise<string | string[]> {
  return file === 'system' ? getCACertificates('system') : readFile(file, 'utf8');
}

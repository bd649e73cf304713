import type { Connection, ConnectionSettings, RegistryLocation } from './options.ts';

/** The settings of a client with its base URL, without trailing slashes. Throws a `TypeError` if that is no URL. */
export function connectionOf(options: ConnectionSettings & RegistryLocation): Connection {
  return { ...options, baseUrl: checkUrl(options.baseUrl ?? options.environment?.baseUrl) };
}

/** The error does not quote the URL: it may contain a password. */
function checkUrl(url = ''): string {
  if (/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(url)) return url.replace(/\/+$/, '');
  throw new TypeError(
    'The base URL is missing or malformed. Pass one such as https://apps.example.com as baseUrl, or an environment.',
  );
}

import { DeveloperApps } from './developer-apps.ts';
import type { AppRegistryClientOptions } from './options.ts';
import { PlatformApps } from './platform-apps.ts';

/**
 * A client of an app registry. Transient failures are retried, twice by default, and an update is applied once however
 * often it is sent.
 *
 * The constructor throws a `TypeError` if the base URL is missing or malformed.
 *
 * @example
 * const client = new AppRegistryClient({ baseUrl: 'https://apps.example.com', token });
 * const app = await client.developer.apps.update(id, { name: 'Invoice Sync' });
 * console.log(app.updatedAt);
 */
export class AppRegistryClient {
  /** For tokens of kind `developer`. */
  readonly developer: { readonly apps: DeveloperApps };
  /** For tokens of kind `platform`. */
  readonly platform: { readonly apps: PlatformApps };

  constructor(options: AppRegistryClientOptions) {
    const connection = { ...options, baseUrl: checkUrl(options.baseUrl ?? options.environment?.baseUrl) };
    this.developer = { apps: new DeveloperApps(connection) };
    this.platform = { apps: new PlatformApps(connection) };
  }
}

/** Removes trailing slashes. The error does not quote the URL: it may contain a password. */
function checkUrl(url = ''): string {
  if (/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(url)) return url.replace(/\/+$/, '');
  throw new TypeError(
    'The base URL of the registry is missing or malformed. Pass one such as https://apps.example.com as baseUrl, or an environment.',
  );
}

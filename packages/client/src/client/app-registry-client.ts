import { DeveloperApps } from './developer-apps.ts';
import type { AppRegistryClientOptions } from './options.ts';
import { PlatformApps } from './platform-apps.ts';

/**
 * A client of an app registry. Requests that fail in passing are repeated, twice unless told otherwise, and an update
 * is done once however often it is sent.
 *
 * Its constructor throws a `TypeError` when the base address is none.
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
    const connection = { ...options, baseUrl: checkAddress(options.baseUrl ?? options.environment?.baseUrl) };
    this.developer = { apps: new DeveloperApps(connection) };
    this.platform = { apps: new PlatformApps(connection) };
  }
}

/** Without a slash at its end. Not told when it is malformed: it may hold a password. */
function checkAddress(address = ''): string {
  if (/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(address)) return address.replace(/\/+$/, '');
  throw new TypeError(
    'The base address of the registry is missing or malformed. Give one such as https://apps.example.com, as baseUrl or as an environment.',
  );
}

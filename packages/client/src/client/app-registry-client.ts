import { connectionOf } from './connection.ts';
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
    const connection = connectionOf(options);
    this.developer = { apps: new DeveloperApps(connection) };
    this.platform = { apps: new PlatformApps(connection) };
  }
}

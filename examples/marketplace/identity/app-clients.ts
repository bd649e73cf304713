import { AppRegistryConnectionError } from '@appregistrar/client';
import { effectiveContent, OperatorClient } from '@appregistrar/client/operator';
import { type Change, type RegistryCopy, type SyncOptions, sync } from '@appregistrar/client/sync';
import type { Grants } from './grants.ts';
import { personOf } from './people.ts';

/** The scopes that an app may request. */
export const appScopes = ['openid', 'profile', 'workspace', 'offline_access'];

/** The copy stays as it is, and reconnects. */
const logFailure = (error: unknown) => console.error(`identity: ${error instanceof Error ? error.message : error}`);

/** The approved apps of the registry as OAuth clients, which follow its changes. */
export class AppClients {
  readonly #copy: Promise<RegistryCopy>;
  readonly #grants: Grants;

  constructor(registry: { baseUrl: string; token: string }, grants: Grants) {
    this.#grants = grants;
    this.#copy = copyOf(new OperatorClient(registry), {
      onChange: (change) => this.#endGrants(change),
      onError: logFailure,
    });
  }

  /** The client of an app: undefined unless it is approved and has a callback URL. Only what is effective counts. */
  async find(appId: string): Promise<object | undefined> {
    const app = (await this.#copy).app(appId);
    const effective = app && effectiveContent(app);
    const { callbackUrl, loginUrl } = effective?.oauthInfo ?? {};
    if (!effective || callbackUrl === undefined) return undefined;
    return {
      client_id: appId,
      client_name: effective.name,
      redirect_uris: [callbackUrl],
      // Such a URL must be https, so that of an app on this machine is left out.
      ...(loginUrl?.startsWith('https:') && { initiate_login_uri: loginUrl }),
      grant_types: ['authorization_code', 'refresh_token'],
      scope: appScopes.join(' '),
      // An app proves by PKCE that it has started the sign-in: the registry has no secrets of apps.
      token_endpoint_auth_method: 'none',
    };
  }

  /** Whether the workspace of a person has the app, enabled. */
  async isInstalledFor(appId: string, accountId: string): Promise<boolean> {
    const workspaceId = personOf(accountId)?.workspace?.id ?? '';
    return (await this.#copy).installation(appId, workspaceId)?.enabled === true;
  }

  /** A revocation ends every grant of the app; removing or disabling it in a workspace those of its people. */
  #endGrants({ type, id, before, after }: Change): void {
    if (type === 'app') {
      if (!after?.effective) this.#grants.end(id);
    } else if (before && !after?.enabled) {
      this.#grants.end(before.appId, (accountId) => personOf(accountId)?.workspace?.id === before.workspaceId);
    }
  }
}

/** The registry may start later than this process. */
async function copyOf(operator: OperatorClient, options: SyncOptions): Promise<RegistryCopy> {
  for (;;) {
    try {
      return await sync(operator, options);
    } catch (error) {
      if (!(error instanceof AppRegistryConnectionError)) throw error;
    }
  }
}

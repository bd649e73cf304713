import {
  type Configuration,
  initiateDeviceAuthorization,
  pollDeviceAuthorizationGrant,
  ResponseBodyError,
  refreshTokenGrant,
  type TokenEndpointResponse,
  tokenRevocation,
} from 'openid-client';
import type { DeviceSignIn } from '../../features/access/browser-sessions.ts';
import { ProviderClient } from '../../http/identity-provider/provider-sign-in.ts';
import { ServerUnreachable, SignInRefused } from './remote-failure.ts';
import type { StoredSignIn } from './token-store.ts';

/** Where a person confirms a sign-in, and the code that they compare there. */
export interface Confirmation {
  url: string;
  code: string;
  minutes: number;
}

/**
 * Signs a person in at an identity provider, in any browser (RFC 8628). Resolves when they have confirmed it. Throws
 * `SignInRefused`, or `ServerUnreachable` if the provider does not respond.
 */
export async function signInByDevice(
  offer: DeviceSignIn,
  onConfirmation: (confirmation: Confirmation) => void,
): Promise<StoredSignIn> {
  const { issuer, clientId, scope, parameters } = offer;
  const tokens = await attempt(issuer, async () => {
    const provider = await clientOf(offer);
    const started = await initiateDeviceAuthorization(provider, { ...parameters, scope });
    const url = started.verification_uri_complete ?? started.verification_uri;
    onConfirmation({ url, code: started.user_code, minutes: Math.ceil(started.expires_in / 60) });
    return pollDeviceAuthorizationGrant(provider, started, parameters);
  });
  return signInOf({ issuer, clientId, parameters }, tokens);
}

/** Gets a new access token. Null if the provider has ended the sign-in. */
export async function renew(signIn: StoredSignIn): Promise<StoredSignIn | null> {
  const { issuer, clientId, parameters, refreshToken } = signIn;
  if (refreshToken === undefined) return null;
  try {
    const tokens = await attempt(issuer, async () =>
      refreshTokenGrant(await clientOf(signIn), refreshToken, parameters),
    );
    return {
      ...signInOf({ issuer, clientId, parameters }, tokens),
      refreshToken: tokens.refresh_token ?? refreshToken,
    };
  } catch (error) {
    if (error instanceof SignInRefused) return null;
    throw error;
  }
}

/** Ends a sign-in at the provider. Returns whether it could. */
export async function endSignIn(signIn: StoredSignIn): Promise<boolean> {
  try {
    await tokenRevocation(await clientOf(signIn), signIn.refreshToken ?? signIn.accessToken);
    return true;
  } catch {
    return false;
  }
}

function clientOf({ issuer, clientId }: Pick<DeviceSignIn, 'issuer' | 'clientId'>): Promise<Configuration> {
  return new ProviderClient({ issuer, clientId, clientSecret: null }).configuration();
}

function signInOf(
  from: Pick<StoredSignIn, 'issuer' | 'clientId' | 'parameters'>,
  { access_token: accessToken, refresh_token: refreshToken }: TokenEndpointResponse,
): StoredSignIn {
  return { ...from, accessToken, ...(refreshToken !== undefined && { refreshToken }) };
}

const refusals: Record<string, string> = {
  access_denied: 'The sign-in was rejected at the identity provider.',
  expired_token: 'The code has expired. Run the command again, and confirm it sooner.',
};

async function attempt<Result>(issuer: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ResponseBodyError) {
      const { error: code, error_description: description } = error;
      throw new SignInRefused(
        refusals[code] ??
          `The identity provider ${issuer} refused the request with ${code}${description ? ` (${description})` : ''}. Check the client in OIDC_DEVICE_CLIENT_ID.`,
      );
    }
    const cause = error instanceof Error ? error.message : String(error);
    throw new ServerUnreachable(
      `The identity provider ${issuer} cannot be used: ${cause}. Check the URL and the network.`,
    );
  }
}

import type { DeviceSignIn, SignInState } from '../../features/access/browser-sessions.ts';
import { ServerUnreachable } from './remote-failure.ts';
import { isEncryptedOrLocal, type RemoteTarget } from './target.ts';
import { NoToken } from './token-store.ts';

const timeoutMs = 10_000;

/** How a server lets the command line sign people in. Throws `NoToken` if it does not. */
export async function deviceSignInOf({ url }: RemoteTarget): Promise<DeviceSignIn> {
  const { deviceSignIn } = await signInStateOf(url);
  if (!deviceSignIn)
    throw new NoToken(
      `${url} signs no one in by a device code: OIDC_DEVICE_CLIENT_ID is not set there. Log in with an operator token instead.`,
    );
  const { issuer } = deviceSignIn;
  if (!URL.canParse(issuer) || !isEncryptedOrLocal(issuer))
    throw new NoToken(`${url} names the identity provider ${issuer}, which is not an https: URL. Nothing was sent.`);
  return deviceSignIn;
}

async function signInStateOf(url: string): Promise<Partial<SignInState>> {
  try {
    const response = await fetch(`${url}/session`, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    return Object(await response.json());
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    throw new ServerUnreachable(`Cannot connect to ${url} (${cause?.code ?? message}). Check the URL and the network.`);
  }
}

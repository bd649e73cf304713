import type { ReceivedResponse } from '../../../../client/src/index.ts';
import type { RemoteTarget } from './target.ts';
import { NoToken, type StoredSignIn, storeCredential, storedCredential } from './token-store.ts';

/** The access token of a sign-in. It is renewed once the server refuses it: no clock decides when. */
export class RenewedToken {
  readonly #target: RemoteTarget;
  #signIn: StoredSignIn;
  #isRefused = false;

  constructor(target: RemoteTarget, signIn: StoredSignIn) {
    this.#target = target;
    this.#signIn = signIn;
  }

  /** Gets each response of the server. */
  readonly onResponse = ({ response }: ReceivedResponse): void => {
    this.#isRefused = response.status === 401;
  };

  /** The token of the next request. Throws `NoToken` if the sign-in has ended. */
  readonly token = async (): Promise<string> => {
    if (this.#isRefused) this.#signIn = await this.#renewed();
    this.#isRefused = false;
    return this.#signIn.accessToken;
  };

  async #renewed(): Promise<StoredSignIn> {
    const stored = await this.#storedByAnother();
    if (stored) return stored;
    const { renew } = await import('./device-sign-in.ts');
    const renewed = await renew(this.#signIn);
    if (renewed) {
      await storeCredential(this.#target, renewed);
      return renewed;
    }
    // A provider that takes each refresh token once has given the next one to a command that ran beside this one.
    const next = await this.#storedByAnother();
    if (next) return next;
    const { url } = this.#target;
    throw new NoToken(`The sign-in for ${url} has ended. Run "app-registry login --device --url ${url}" again.`);
  }

  async #storedByAnother(): Promise<StoredSignIn | null> {
    const stored = await storedCredential(this.#target);
    return typeof stored === 'object' && stored.accessToken !== this.#signIn.accessToken ? stored : null;
  }
}

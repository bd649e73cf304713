import { useEffect, useState } from 'preact/hooks';
import { type Brand, ownBrand } from './brand.ts';
import { sessionEnded } from './operator.ts';
import { sendUnsent } from './pages/review/use-unsent.ts';
import { goToProvider, takeProviderResponse } from './provider-sign-in.ts';
import { replaceRoute } from './route.ts';
import { type Session, showSignIn, signIn, signInByProvider, signOut } from './session.ts';
import { type ShownError, shownError, shownSignInError } from './shown-error.ts';

interface KnownState {
  /** Null without a session; undefined until the server has responded. */
  session: Session | null | undefined;
  brand: Brand;
  /** Whether people can sign in with an identity provider. */
  identityProvider: boolean;
  /** Why the last sign-in or sign-out failed. */
  error?: ShownError | undefined;
  hasEnded?: boolean;
}

/** The session of the user, and how to start and end it. */
export interface SessionState extends KnownState {
  signIn: (token: string) => Promise<void>;
  goToProvider: () => Promise<void>;
  signOut: () => Promise<void>;
}

/** A sign-in in another window of the browser, which replaces the session of this one. */
const signIns = new BroadcastChannel('sign-ins');

export function useSession(): SessionState {
  const [state, setState] = useState<KnownState>({ session: undefined, brand: ownBrand, identityProvider: false });
  const fail = (error: unknown) => setState((before) => ({ ...before, error: shownError(error) }));
  const enter = async (signInFirst?: () => Promise<void>) => {
    const error = await signInFirst?.().then(() => undefined, shownSignInError);
    if (signInFirst && !error) signIns.postMessage(null);
    try {
      const { session = null, brand, identityProvider } = await showSignIn();
      setState({ session, brand: { ...ownBrand, ...brand }, identityProvider, error });
    } catch (failure) {
      setState(({ brand, identityProvider }) => ({
        session: null,
        brand,
        identityProvider,
        error: shownError(failure),
      }));
    }
  };
  // A page sends several requests at once, and each of them may report the end of the session.
  const end = () => setState((before) => (before.session ? { ...before, session: null, hasEnded: true } : before));
  const follow = () => {
    const signInFromUrl = takeSignIn();
    // During a new sign-in no page is shown, as it would send requests in the old session. Errors end with their page.
    setState((before) => (signInFromUrl ? { ...before, session: undefined } : withoutOldError(before)));
    if (signInFromUrl) void enter(signInFromUrl);
  };
  useEffect(() => {
    void enter(takeSignIn());
    signIns.onmessage = () => void enter();
    return onWindow({ [sessionEnded]: end, hashchange: follow });
  }, []);
  const leave = async () => {
    try {
      await sendUnsent();
      await signOut();
      setState(({ brand, identityProvider }) => ({ session: null, brand, identityProvider }));
    } catch (error) {
      fail(error);
    }
  };
  return {
    ...state,
    signIn: (token) => enter(() => signIn(token)),
    goToProvider: () => goToProvider().catch(fail),
    signOut: leave,
  };
}

/** The sign-in page keeps its error, whichever page it replaces. */
function withoutOldError(state: KnownState): KnownState {
  return state.session ? { ...state, error: undefined } : state;
}

/** Returns a function that removes the listeners. */
function onWindow(listeners: Record<string, () => void>): () => void {
  const all = Object.entries(listeners);
  for (const [type, listener] of all) window.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of all) window.removeEventListener(type, listener);
  };
}

/** The sign-in that the URL of the page requests, if any. Removes it from the URL. */
function takeSignIn(): (() => Promise<void>) | undefined {
  const response = takeProviderResponse();
  if (response !== undefined) return () => signInByProvider(response);
  const code = takeCode();
  return code === undefined ? undefined : () => signIn(code);
}

/** The code of a sign-in link. It works once, so it is removed from the URL and the history. */
function takeCode(): string | undefined {
  const code = /^#code=(\w+)$/.exec(location.hash)?.[1];
  if (code !== undefined) replaceRoute(location.pathname);
  return code;
}

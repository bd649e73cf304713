import { useEffect, useState } from 'preact/hooks';
import { type Refusal, sessionEnded } from './api/http-request.ts';
import { type Session, showSignIn, signIn, signInByProvider, signOut } from './api/operations.ts';
import { goToProvider, takeProviderAnswer } from './provider-sign-in.ts';
import { replaceRoute } from './route.ts';
import { asRefusal } from './use-request.ts';

interface Known {
  /** Null when nobody has signed in; undefined until that is known. */
  session: Session | null | undefined;
  /** Whether an identity provider signs people in. */
  identityProvider: boolean;
  /** Why nobody has signed in or out, as was asked last. */
  refusal?: Refusal | undefined;
  hasEnded?: boolean;
}

/** Who looks at the console. */
export interface SessionState extends Known {
  signIn: (token: string) => Promise<void>;
  goToProvider: () => Promise<void>;
  signOut: () => Promise<void>;
}

export function useSession(): SessionState {
  const [state, setState] = useState<Known>({ session: undefined, identityProvider: false });
  const refuse = (error: unknown) => setState((before) => ({ ...before, refusal: asRefusal(error) }));
  const enter = async (open?: () => Promise<void>) => {
    const refusal = await open?.().then(() => undefined, asRefusal);
    try {
      const { session = null, identityProvider } = await showSignIn();
      setState({ session, identityProvider, refusal });
    } catch (error) {
      setState(({ identityProvider }) => ({ session: null, identityProvider, refusal: asRefusal(error) }));
    }
  };
  // A page asks for several things at once, and each of them tells it.
  const end = () => setState((before) => (before.session ? { ...before, session: null, hasEnded: true } : before));
  const follow = () => {
    const wayIn = takeWayIn();
    // Until it is known whose the pages are, none asks by a session that may just end; on another page a refusal is old.
    setState((before) => (wayIn ? { ...before, session: undefined } : withoutOldRefusal(before)));
    if (wayIn) void enter(wayIn);
  };
  useEffect(() => {
    void enter(takeWayIn());
    return onWindow({ [sessionEnded]: end, hashchange: follow });
  }, []);
  const leave = async () => {
    try {
      await signOut();
      setState(({ identityProvider }) => ({ session: null, identityProvider }));
    } catch (error) {
      refuse(error);
    }
  };
  return {
    ...state,
    signIn: (token) => enter(() => signIn(token)),
    goToProvider: () => goToProvider().catch(refuse),
    signOut: leave,
  };
}

/** On the sign-in page it stays, whatever page that is in the place of. */
function withoutOldRefusal(known: Known): Known {
  return known.session ? { ...known, refusal: undefined } : known;
}

/** Answers what ends the listening. */
function onWindow(listeners: Record<string, () => void>): () => void {
  const all = Object.entries(listeners);
  for (const [type, listener] of all) window.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of all) window.removeEventListener(type, listener);
  };
}

/** How the address of the page signs in, if it does. */
function takeWayIn(): (() => Promise<void>) | undefined {
  const answer = takeProviderAnswer();
  if (answer !== undefined) return () => signInByProvider(answer);
  const code = takeCode();
  return code === undefined ? undefined : () => signIn(code);
}

/** The code of a link, which is good once: neither the address nor the history keeps it. */
function takeCode(): string | undefined {
  const code = /^#code=(\w+)$/.exec(location.hash)?.[1];
  if (code !== undefined) replaceRoute(location.pathname);
  return code;
}

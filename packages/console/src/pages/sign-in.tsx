import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Refused } from '../parts/refused.tsx';
import type { SessionState } from '../use-session.ts';

/** Leads to the identity provider, if there is one, and takes an operator token, which the browser does not keep. */
export function SignInPage({ state }: { state: SessionState }) {
  const { identityProvider, refusal, hasEnded } = state;
  const [isAsking, setAsking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const provider = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    document.title = 'Sign in · App Registry';
    (provider.current ?? input.current)?.focus();
  }, []);
  const wait = async (asked: Promise<void>) => {
    setAsking(true);
    await asked;
    setAsking(false);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void wait(state.signIn(input.current?.value.trim() ?? ''));
  };
  return (
    <main class="sign-in">
      <h1>App Registry</h1>
      {hasEnded && <p role="status">Your session has ended. Sign in again.</p>}
      {identityProvider && (
        <p class="provider">
          <button
            ref={provider}
            type="button"
            class="first"
            disabled={isAsking}
            onClick={() => wait(state.goToProvider())}
          >
            Sign in with your identity provider
          </button>
        </p>
      )}
      <form onSubmit={submit}>
        <label>
          Operator token
          <input
            ref={input}
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            placeholder="appreg_operator_…"
          />
        </label>
        <button type="submit" class={identityProvider ? undefined : 'first'} disabled={isAsking}>
          Sign in
        </button>
      </form>
      {refusal && <Refused refusal={refusal} />}
      <details>
        <summary>Where do I get a token?</summary>
        <p>On the machine of the registry, its command line issues one:</p>
        <pre>app-registry token issue --kind operator --scope review --name "Grace, reviewer"</pre>
        <p>
          The scopes <code>read</code>, <code>portal</code>, <code>review</code> and <code>admin</code> say what you may
          do. The session lasts for 12 hours, and no longer than the token.
        </p>
      </details>
    </main>
  );
}

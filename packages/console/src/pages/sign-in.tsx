import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWindowTitle } from '../brand.ts';
import { Mark } from '../parts/mark.tsx';
import { RequestError } from '../parts/request-error.tsx';
import type { SessionState } from '../use-session.ts';

/** Signs in with the identity provider, if there is one, or with an operator token, which the browser does not store. */
export function SignInPage({ state }: { state: SessionState }) {
  const { identityProvider, error, hasEnded } = state;
  const [isPending, setPending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const provider = useRef<HTMLButtonElement>(null);
  useWindowTitle('Sign in');
  useLayoutEffect(() => (provider.current ?? input.current)?.focus(), []);
  const wait = async (signIn: Promise<void>) => {
    setPending(true);
    await signIn;
    setPending(false);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void wait(state.signIn(input.current?.value.trim() ?? ''));
  };
  return (
    <main class="sign-in">
      <h1>
        <Mark size={40} />
      </h1>
      <p class="faint">The console for reviewers and operators of this registry.</p>
      {hasEnded && (
        <p class="notice" role="status">
          Your session has ended. Sign in again.
        </p>
      )}
      {identityProvider && (
        <p class="provider">
          <button
            ref={provider}
            type="button"
            class="primary"
            disabled={isPending}
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
        <button type="submit" class={identityProvider ? undefined : 'primary'} disabled={isPending}>
          Sign in
        </button>
      </form>
      {error && <RequestError error={error} />}
      <details>
        <summary>Where do I get a token?</summary>
        <p>Create one with the command line on the server:</p>
        <pre>app-registry token create --kind operator --scope review --name "Grace, reviewer"</pre>
        <p>
          The scopes <code>read</code>, <code>portal</code>, <code>review</code> and <code>admin</code> determine what
          you can do. A session ends after 12 hours, or when the token expires.
        </p>
      </details>
    </main>
  );
}

import { operator } from '../operator.ts';
import { nameOf } from '../parts/developer-name.tsx';
import { RequestError } from '../parts/request-error.tsx';
import { useRequest } from '../use-request.ts';

/** The developer of an app. */
export function DeveloperRecord({ userId }: { userId: string }) {
  const {
    data: developer,
    error,
    reload,
  } = useRequest((signal) => operator.developers.get(userId, { signal }), [userId]);
  return (
    <section aria-labelledby="developer">
      <h2 id="developer">Developer</h2>
      {error && <RequestError error={error} retry={reload} />}
      {developer && (
        <dl class="facts">
          <dt>Name</dt>
          <dd dir="auto">{nameOf(developer)}</dd>
          <dt>Email address</dt>
          <dd dir="auto">{developer.email}</dd>
          <dt>User id</dt>
          <dd>
            <code>{developer.userId}</code>
          </dd>
        </dl>
      )}
    </section>
  );
}

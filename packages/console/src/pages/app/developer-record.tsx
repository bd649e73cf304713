import { showDeveloper } from '../../api/operations.ts';
import { nameOf } from '../../parts/developer-name.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useRequest } from '../../use-request.ts';

/** Who publishes an app. */
export function DeveloperRecord({ userId }: { userId: string }) {
  const { answer: developer, refusal, askAgain } = useRequest(() => showDeveloper(userId), [userId]);
  return (
    <section aria-labelledby="developer">
      <h2 id="developer">Developer</h2>
      {refusal && <Refused refusal={refusal} retry={askAgain} />}
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

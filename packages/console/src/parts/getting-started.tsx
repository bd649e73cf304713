import { Circle, CircleCheck, PackagePlus } from 'lucide';
import { NewAppForm } from '../new-app/new-app-form.tsx';
import { operator } from '../operator.ts';
import { hrefOf } from '../route.ts';
import { useHasScope } from '../scopes.ts';
import { useRequest } from '../use-request.ts';
import { Empty } from './empty.tsx';
import { Icon } from './icon.tsx';

/** For a registry that has no apps yet: what makes it ready, and the first app. */
export function GettingStarted() {
  const canCreate = useHasScope('portal');
  return (
    <Empty icon={PackagePlus} text="No apps yet.">
      <p>Create the first one here, or import those that you have: app-registry import --help</p>
      <Steps />
      {canCreate ? (
        <div class="first-app">
          <NewAppForm owner="new" />
        </div>
      ) : (
        <p>To create an app, use a token with the scope portal: here, in the operator API or on the command line.</p>
      )}
    </Empty>
  );
}

/** What else a registry needs, each with a mark once it is there. */
function Steps() {
  const isAdmin = useHasScope('admin');
  const { data } = useRequest((signal) => readDone(isAdmin, signal), [isAdmin]);
  const steps = [
    { name: 'Create a token with the scope portal for your portal', path: ['tokens'], isDone: data?.hasPortalToken },
    { name: 'Add a webhook that sends every change to your platform', path: ['webhooks'], isDone: data?.hasWebhook },
    {
      name: 'Write the reasons that reviewers give often',
      path: ['settings', 'reason-templates'],
      isDone: data?.hasReasons,
    },
  ].filter(({ path }) => isAdmin || path[0] === 'settings');
  return (
    <ul class="checklist">
      {steps.map(({ name, path, isDone = false }) => (
        <li key={name}>
          <Icon of={isDone ? CircleCheck : Circle} />
          <a href={hrefOf(path)}>{name}</a>
          {isDone && <span class="visually-hidden"> (done)</span>}
        </li>
      ))}
    </ul>
  );
}

async function readDone(isAdmin: boolean, signal: AbortSignal) {
  const [reasons, tokens, webhooks] = await Promise.all([
    operator.reasonTemplates.list({ limit: 1 }, { signal }).page(),
    isAdmin ? operator.tokens.list({ kind: 'operator', limit: 100 }, { signal }).page() : undefined,
    isAdmin ? operator.webhooks.list({ limit: 1 }, { signal }).page() : undefined,
  ]);
  return {
    hasReasons: reasons.items.length > 0,
    hasPortalToken: tokens?.items.some(({ scopes = [] }) => scopes.includes('portal')),
    hasWebhook: webhooks && webhooks.items.length > 0,
  };
}

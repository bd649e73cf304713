import { PackagePlus } from 'lucide';
import { NewAppForm } from '../new-app/new-app-form.tsx';
import { useHasScope } from '../scopes.ts';
import { Empty } from './empty.tsx';

/** For a registry that has no apps yet: the first one is created here. */
export function GettingStarted() {
  const canCreate = useHasScope('portal');
  return (
    <Empty icon={PackagePlus} text="No apps yet.">
      {canCreate ? (
        <div class="first-app">
          <p>Create the first one here. Portals and programs create apps with the operator API.</p>
          <NewAppForm owner="new" />
        </div>
      ) : (
        <p>
          To create the first one, use a token with the scope portal: here, in the operator API or on the command line.
        </p>
      )}
    </Empty>
  );
}

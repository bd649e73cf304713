import { NewAppForm } from '../new-app/new-app-form.tsx';
import { useHasScope } from '../scopes.ts';

/** For a registry that has no apps yet: the first one is created here. */
export function GettingStarted() {
  const canCreate = useHasScope('portal');
  return (
    <div class="empty first-app">
      <h2>No apps yet</h2>
      {canCreate ? (
        <>
          <p>Create the first one here. Portals and programs create apps with the operator API.</p>
          <NewAppForm owner="new" />
        </>
      ) : (
        <p>Someone with the scope portal creates the first one here, with the operator API or on the command line.</p>
      )}
    </div>
  );
}

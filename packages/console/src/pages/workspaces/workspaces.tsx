import { LookUp } from '../../parts/look-up.tsx';
import { Page } from '../../parts/page.tsx';
import { hrefOf } from '../../route.ts';

/** Workspaces belong to the platform: the registry knows those with installations, by their ids. */
export function WorkspacesPage() {
  return (
    <Page title="Workspaces">
      <p>
        Workspaces belong to your platform. Look one up to see what is installed in it, or to remove every app from a
        workspace that leaves.
      </p>
      <LookUp section="workspaces" label="Workspace id" />
      <p>
        <a href={hrefOf(['installations'])}>All installations</a>
      </p>
    </Page>
  );
}

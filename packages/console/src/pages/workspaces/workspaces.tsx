import { LookUp } from '../../parts/look-up.tsx';
import { Page } from '../../parts/page.tsx';
import { AllInstallations } from './all-installations.tsx';

/** Workspaces belong to the platform: the registry knows those with installations, by their ids. */
export function WorkspacesPage({ query }: { query: URLSearchParams }) {
  return (
    <Page title="Workspaces">
      <p>
        Workspaces belong to your platform. Look one up to see its apps, or to remove them all when the workspace
        closes.
      </p>
      <LookUp section="workspaces" label="Workspace id" />
      <AllInstallations query={query} />
    </Page>
  );
}

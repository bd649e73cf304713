import type { AppWithWarnings } from '@appregistrar/client/operator';

/** What each tab of the page of an app gets. */
export interface AppTabProps {
  app: AppWithWarnings;
  /** The query of the address: filters and cursors of the tab. */
  query: URLSearchParams;
  /** Called after a change. */
  reload: () => void;
}

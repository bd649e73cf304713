import { hrefOf, type Route } from './route.ts';

/** Where a page is that had another address before, so that old links still lead to it. */
export function movedTo({ path, query }: Route): string | undefined {
  if (path.length !== 1) return undefined;
  const all = Object.fromEntries(query);
  switch (path[0]) {
    case 'deleted-apps':
      return hrefOf(['apps'], { show: 'deleted', ...all });
    case 'logos':
      return hrefOf(['apps'], { show: 'logos', ...all });
    case 'templates':
      return hrefOf(['settings', 'reason-templates'], all);
    case 'protected-names':
      return hrefOf(['settings', 'protected-names'], all);
    case 'installations': {
      const { appId, workspaceId, userId } = all;
      if (appId) return hrefOf(['apps', appId, 'installations'], { workspaceId });
      return workspaceId ? hrefOf(['workspaces', workspaceId]) : hrefOf(['workspaces'], { userId });
    }
    default:
      return undefined;
  }
}

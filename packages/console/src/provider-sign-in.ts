import { replaceRoute } from './route.ts';
import { requestAuthorization } from './session.ts';

/** The key in session storage for the page to show on return. */
const pageKey = 'page';

/** Redirects to the identity provider, which signs people in and sends them back. */
export async function goToProvider(): Promise<void> {
  const url = await requestAuthorization();
  sessionStorage.setItem(pageKey, location.hash);
  location.assign(url);
}

/** The query that the provider sent the browser back with. It works once, so it is removed from the URL and the history. */
export function takeProviderResponse(): string | undefined {
  const query = location.search.slice(1);
  const parameters = new URLSearchParams(query);
  // A provider that cannot parse the request may omit the state.
  if (!parameters.has('state') && !parameters.has('error')) return undefined;
  replaceRoute(location.pathname + (sessionStorage.getItem(pageKey) ?? ''));
  sessionStorage.removeItem(pageKey);
  return query;
}

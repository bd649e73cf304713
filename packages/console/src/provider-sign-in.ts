import { requestAuthorization } from './api/operations.ts';
import { replaceRoute } from './route.ts';

/** Under this the tab keeps which page to show on return. */
const pageKey = 'page';

/** Leaves for the identity provider, which signs people in and sends them back. */
export async function goToProvider(): Promise<void> {
  const address = await requestAuthorization();
  sessionStorage.setItem(pageKey, location.hash);
  location.assign(address);
}

/** What the provider has sent the browser back with, which is good once: neither the address nor the history keeps it. */
export function takeProviderAnswer(): string | undefined {
  const query = location.search.slice(1);
  const answer = new URLSearchParams(query);
  // A provider that cannot read what it was asked may leave out the state.
  if (!answer.has('state') && !answer.has('error')) return undefined;
  replaceRoute(location.pathname + (sessionStorage.getItem(pageKey) ?? ''));
  sessionStorage.removeItem(pageKey);
  return query;
}

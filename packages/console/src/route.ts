import { useEffect, useState } from 'preact/hooks';

/** A page of the console, as the fragment of its address names it: `#/apps?status=DRAFT`. */
export interface Route {
  path: string[];
  query: URLSearchParams;
}

export function readRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** The address of a page. What is empty or undefined is left out of its query. */
export function addressOf(path: string[], query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  return `#/${path.map(encodeURIComponent).join('/')}${search}`;
}

/** Shows another page in the place of this one, so that "back" leads to the one before. */
export function replaceRoute(address: string): void {
  history.replaceState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The page that the address names, now and whenever that changes. */
export function useRoute(): Route {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const follow = () => setFragment(location.hash);
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return readRoute(fragment);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

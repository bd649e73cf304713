import { useLayoutEffect, useState } from 'preact/hooks';

/** A page of the console, from the fragment of its URL: `#/apps?status=DRAFT`. */
export interface Route {
  path: string[];
  query: URLSearchParams;
}

export function readRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** The URL fragment of a page. Empty and undefined values are omitted from the query. */
export function hrefOf(path: string[], query: Record<string, string | undefined> = {}): string {
  const present = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = present.length === 0 ? '' : `?${new URLSearchParams(present)}`;
  return `#/${path.map(encodeURIComponent).join('/')}${search}`;
}

/** Replaces the current history entry, so that "back" leads to the previous page. */
export function replaceRoute(href: string): void {
  history.replaceState(history.state, '', href);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The page of the current URL. Follows its changes. */
export function useRoute(): Route {
  const [fragment, setFragment] = useState(location.hash);
  // A layout effect: the URL may change as soon as the page is shown.
  useLayoutEffect(() => {
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

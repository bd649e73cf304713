import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { SignInState } from '../../server/src/features/access/browser-sessions.ts';
import mark from './icon.svg';

/** The name of the console, the URL of the image beside it, and its accent, where an operator sets one. */
export type Brand = Required<Omit<SignInState['brand'], 'accent'>> & Pick<SignInState['brand'], 'accent'>;

export const ownBrand: Brand = { name: 'App Registry', mark };

export const BrandContext = createContext(ownBrand);

/** Shows the mark in the tab of the window too. */
export function useWindowIcon({ mark: href }: Brand): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link || href === ownBrand.mark) return;
    link.removeAttribute('type');
    link.href = href;
  }, [href]);
}

/** Names the page in the title of the window. */
export function useWindowTitle(page: string): void {
  const { name } = useContext(BrandContext);
  useEffect(() => {
    document.title = `${page} · ${name}`;
  }, [page, name]);
}

import { createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect } from 'preact/hooks';
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

/** Gives the console the accent of the brand. The object model may do so under a policy that forbids style attributes. */
export function useAccent({ accent }: Brand): void {
  useLayoutEffect(() => {
    if (accent !== undefined) document.documentElement.style.setProperty('--accent', accent);
  }, [accent]);
}

/** Names the page in the title of the window. */
export function useWindowTitle(page: string): void {
  const { name } = useContext(BrandContext);
  useEffect(() => {
    document.title = `${page} · ${name}`;
  }, [page, name]);
}

import { html } from 'hono/html';
import type { Markup } from './layout.ts';

export interface Card {
  name: string;
  shortDescription?: string | undefined;
  backgroundColor: string;
  logoUrl?: string | undefined;
}

/** An app as customers see it in a list. `data-shows` names the field that a preview replaces. */
export function appCard(
  { name, shortDescription, backgroundColor, logoUrl }: Card,
  title: Markup | string = name,
): Markup {
  return html`<article class="card">
    <div class="cover" style="background-color: ${backgroundColor}" data-shows="listingInfo.backgroundColor">${logo(name, logoUrl)}</div>
    <h2 data-shows="name">${title}</h2>
    <p data-shows="listingInfo.shortDescription">${shortDescription ?? ''}</p>
  </article>`;
}

export function logo(name: string, logoUrl: string | undefined): Markup {
  return logoUrl === undefined
    ? html`<span class="logo" aria-hidden="true">${[...name][0]}</span>`
    : html`<img class="logo" src="${logoUrl}" alt="" data-shows="logo">`;
}

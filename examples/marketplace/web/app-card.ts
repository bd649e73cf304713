import { html } from 'hono/html';
import type { Markup } from './layout.ts';

export interface Card {
  name: string;
  shortDescription?: string | undefined;
  longDescription?: string | undefined;
  backgroundColor: string;
  logoUrl?: string | undefined;
}

/** An app as customers see it in a list, and reviewers in the console. `data-shows` names the field that a preview replaces. */
export function appCard(
  { name, shortDescription, longDescription, backgroundColor, logoUrl }: Card,
  title: Markup | string = name,
): Markup {
  return html`<article class="card" style="--card-ground: ${backgroundColor}">
    ${logo(name, logoUrl)}
    <div>
      <h2 class="card-name" data-shows="name">${title}</h2>
      <p class="card-short" data-shows="listingInfo.shortDescription">${shortDescription ?? ''}</p>
    </div>
    <p class="card-long" data-shows="listingInfo.longDescription">${longDescription ?? ''}</p>
  </article>`;
}

export function logo(name: string, logoUrl: string | undefined): Markup {
  return logoUrl === undefined
    ? html`<span class="logo" aria-hidden="true">${[...name][0]}</span>`
    : html`<img class="logo" src="${logoUrl}" alt="" data-shows="logo">`;
}

import { html } from 'hono/html';
import { appCard, logo } from '../web/app-card.ts';
import { type Markup, page } from '../web/layout.ts';
import type { Session } from '../web/sign-in.ts';
import type { Listing } from './listings.ts';

export const brand = 'Storefront';

/** The data of an installation that a page needs. */
interface Installed {
  id: string;
  enabled: boolean;
}

export function cataloguePage(session: Session | undefined, text: string, listings: Listing[]): Markup {
  return layout(
    session,
    'Apps for your workspace',
    html`<section class="hero">
        <h1>Apps for your workspace</h1>
        <form role="search" class="row"><label class="grow"><span class="hidden">Search</span>
          <input type="search" name="q" value="${text}" placeholder="Search apps"></label><button class="first">Search</button></form>
      </section>
      ${listings.length === 0 ? html`<p>No app matches “${text}”.</p>` : ''}
      <div class="cards">${listings.map((item) => appCard(item, html`<a href="/apps/${item.id}">${item.name}</a>`))}</div>`,
  );
}

export function appPage(session: Session | undefined, item: Listing, action: Markup): Markup {
  return layout(
    session,
    item.name,
    html`<article class="panel app">
      <div class="cover" style="background-color: ${item.backgroundColor}">${logo(item.name, item.logoUrl)}</div>
      <div class="title"><div class="grow"><h1>${item.name}</h1><p class="faint">by ${item.developer}</p></div>${action}</div>
      <p class="lead">${item.shortDescription ?? ''}</p>
      <p class="text">${item.longDescription ?? ''}</p>
    </article>`,
  );
}

/** The actions on an app for this person. */
export function installAction(
  session: Session | undefined,
  appId: string,
  installation: Installed | undefined,
): Markup {
  const workspace = session?.person.workspace;
  if (!session) return html`<a class="button first" href="/sign-in">Sign in to install</a>`;
  if (!workspace) return html`<p class="faint">Customers can install it.</p>`;
  if (installation) return html`<a class="button" href="/workspace">Installed in ${workspace.name}</a>`;
  return html`<form method="post" action="/apps/${appId}/install"><button class="first">Install in ${workspace.name}</button></form>`;
}

export function workspacePage(
  session: Session,
  installed: { installation: Installed; item: Listing; openUrl?: string | undefined }[],
): Markup {
  return layout(
    session,
    'Workspace settings',
    html`<h1>Apps of ${session.person.workspace?.name}</h1>
      ${installed.length === 0 ? html`<p class="faint">No apps yet. <a href="/">Find one.</a></p>` : ''}
      <ul class="list">${installed.map(
        ({ installation, item, openUrl }) => html`<li>
          ${logo(item.name, item.logoUrl)}
          <span class="grow"><a href="/apps/${item.id}"><strong>${item.name}</strong></a><span class="faint">${installation.enabled ? 'Enabled' : 'Disabled'}</span></span>
          ${installation.enabled && openUrl ? html`<a class="button first" href="${openUrl}">Open</a>` : ''}
          ${step(installation, item, installation.enabled ? 'disable' : 'enable')}
          ${step(installation, item, 'remove')}
        </li>`,
      )}</ul>`,
  );
}

function step({ id }: Installed, { name }: Listing, action: string): Markup {
  const text = action[0]?.toUpperCase() + action.slice(1);
  return html`<form method="post" action="/installations/${id}/${action}"><button aria-label="${text} ${name}">${text}</button></form>`;
}

function layout(session: Session | undefined, title: string, body: Markup): Markup {
  const links = session?.person.workspace ? { '/': 'Apps', '/workspace': 'Your workspace' } : { '/': 'Apps' };
  return page({ brand, title, links, person: session?.person.name ?? null }, body);
}

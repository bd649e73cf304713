import { html } from 'hono/html';
import { appCard, logo } from '../web/app-card.ts';
import { type Markup, page } from '../web/layout.ts';
import type { Session } from '../web/sign-in.ts';
import type { Listing } from './listings.ts';

export const part = 'Store';

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
      ${listings.length === 0 ? nothingFound(text) : ''}
      <div class="cards">${listings.map((item) => appCard(item, html`<a href="/apps/${item.id}">${item.name}</a>`))}</div>`,
  );
}

function nothingFound(text: string): Markup {
  if (text === '')
    return html`<p class="empty">No apps yet. They appear here as soon as a reviewer has approved them.</p>`;
  return html`<p class="empty">No app matches “${text}”. <a href="/">Show all apps</a></p>`;
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
      ${access(item)}
    </article>`,
  );
}

/** What an app learns, and from which sites it is served: what a customer should know before they install it. */
function access({ developer, loginUrl, callbackUrl }: Listing): Markup {
  return html`<section aria-label="Before you install"><h2>Before you install</h2>
    <dl class="facts">
      <dt>Made by</dt><dd>${developer}</dd>
      <dt>Opens at</dt><dd>${loginUrl ? new URL(loginUrl).host : 'It cannot be opened from here.'}</dd>
      <dt>Learns</dt><dd>${callbackUrl ? html`the name of who signs in and the name of your workspace, at ${new URL(callbackUrl).host}` : 'nothing: no one signs in to it'}</dd>
    </dl></section>`;
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
  notice?: string,
): Markup {
  return layout(
    session,
    'Workspace settings',
    html`<h1>Apps of ${session.person.workspace?.name}</h1>
      ${notice ? html`<p role="status" class="note good">${notice}</p>` : ''}
      ${installed.length === 0 ? html`<p class="empty">No apps yet. <a href="/">Find one</a></p>` : ''}
      <ul class="list">${installed.map(
        ({ installation, item, openUrl }) => html`<li>
          ${logo(item.name, item.logoUrl)}
          <span class="grow"><a href="/apps/${item.id}"><strong>${item.name}</strong></a><span class="faint">${installation.enabled ? 'Enabled' : 'Disabled'}</span></span>
          ${installation.enabled && openUrl ? html`<a class="button first" href="${openUrl}">Open</a>` : ''}
          ${step(installation, item, installation.enabled ? 'disable' : 'enable')}
          <a class="button" href="/installations/${installation.id}/remove" aria-label="Remove ${item.name}">Remove</a>
        </li>`,
      )}</ul>`,
  );
}

/** A confirmation before an app is removed: its people lose access immediately. */
export function removePage(session: Session, { id }: Installed, { name }: Listing): Markup {
  const workspace = session.person.workspace?.name;
  return layout(
    session,
    `Remove ${name}`,
    html`<section class="panel stack narrow">
      <h1>Remove ${name} from ${workspace}?</h1>
      <p>No one in ${workspace} can open it any longer, and it loses its access. You can install it again later.</p>
      <div class="row"><form method="post" action="/installations/${id}/remove"><button class="danger">Remove ${name}</button></form>
        <a class="button" href="/workspace">Keep it</a></div>
    </section>`,
  );
}

function step({ id }: Installed, { name }: Listing, action: string): Markup {
  const text = action[0]?.toUpperCase() + action.slice(1);
  return html`<form method="post" action="/installations/${id}/${action}"><button aria-label="${text} ${name}">${text}</button></form>`;
}

function layout(session: Session | undefined, title: string, body: Markup): Markup {
  const links = session?.person.workspace ? { '/': 'Apps', '/workspace': 'Your workspace' } : { '/': 'Apps' };
  return page({ part, title, links, person: session?.person.name ?? null }, body);
}

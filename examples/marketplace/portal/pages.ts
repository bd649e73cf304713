import type { AppSummary } from '@appregistrar/client/operator';
import { html } from 'hono/html';
import { logo } from '../web/app-card.ts';
import { type Markup, page } from '../web/layout.ts';
import type { Session } from '../web/sign-in.ts';

export const part = 'Developers';

const statusTexts: Record<string, string> = {
  DRAFT: 'Draft',
  AWAITING_REVIEW: 'In review',
  APPROVED: 'Published',
  REJECTED: 'Needs work',
};

export function status({ reviewStatus, changedSinceApproval }: AppSummary): Markup {
  const text = statusTexts[reviewStatus] ?? reviewStatus;
  const isHeld = reviewStatus === 'APPROVED' && changedSinceApproval;
  return html`<span class="chip ${reviewStatus.toLowerCase()}">${text}</span>${isHeld ? html` <span class="chip awaiting_review">Change held</span>` : ''}`;
}

export function welcomePage(): Markup {
  return page(
    { part, title: 'Publish your app', person: null },
    html`<section class="hero">
      <h1>Publish your app to every workspace</h1>
      <p>Describe it, send it for review, and watch it arrive in the storefront.</p>
      <a class="button first" href="/sign-in">Sign in as a developer</a>
    </section>`,
  );
}

export function appsPage({ person }: Session, apps: AppSummary[], message?: string): Markup {
  return page(
    { part, title: 'Your apps', person: person.name },
    html`<h1>Your apps</h1>
      ${apps.length === 0 ? html`<p class="faint">No apps yet. Name your first app to create it.</p>` : ''}
      <ul class="list">${apps.map(appRow)}</ul>
      <form method="post" action="/apps" class="row panel">
        <label class="grow">New app <input name="name" required placeholder="Invoice Sync" value=""></label>
        <button class="first">Create</button>
      </form>
      ${message ? html`<p role="alert" class="note bad">${message}</p>` : ''}`,
  );
}

function appRow(app: AppSummary): Markup {
  return html`<li>
    ${logo(app.name, app.logoUrl)}
    <span class="grow"><a href="/apps/${app.id}"><strong>${app.name}</strong></a><span class="faint">${installs(app.installationCount)}</span></span>
    <span>${status(app)}</span>
  </li>`;
}

export function installs(count: number): string {
  return count === 1 ? '1 install' : `${count} installs`;
}

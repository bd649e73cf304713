import { approvedContent, type Decision } from '@appregistrar/client/operator';
import { html } from 'hono/html';
import { appCard } from '../web/app-card.ts';
import { type Markup, page } from '../web/layout.ts';
import type { Session } from '../web/sign-in.ts';
import { changedPaths, type Field, fields, labelsOf, pathOf, type Values, valuesOf } from './fields.ts';
import type { OwnApp } from './own-app.ts';
import { brand, installs, status } from './pages.ts';

interface Shown {
  own: OwnApp;
  /** The values of the form, which differ from the app after a refused update. */
  values: Values;
  /** By their fields. */
  messages: Values;
  notice?: { kind: 'good' | 'bad' | 'warn'; text: string } | undefined;
}

/** The form of an app, a preview of its card, and the state of its review. */
export function editorPage({ person }: Session, { own, values, messages, notice }: Shown): Markup {
  const { app, view, etag } = own;
  const isFrozen = app.reviewStatus === 'AWAITING_REVIEW';
  const words = reviewersWords(own);
  return page(
    { brand, title: view.name, links: { '/': 'Your apps' }, person: person.name, scripts: ['/preview.js'] },
    html`<div class="title"><h1>${view.name}</h1>${status(app)}</div>
      ${notice ? html`<p role="status" class="note ${notice.kind}">${notice.text}</p>` : ''}
      <div class="columns">
        <form method="post" action="/apps/${app.id}" enctype="multipart/form-data" class="panel stack">
          <input type="hidden" name="base" value="${JSON.stringify({ data: view, response: { etag } })}">
          <fieldset class="stack" ${isFrozen ? 'disabled' : ''}>
            <legend class="hidden">Content</legend>
            ${fields.map((field) => input(field, values[field.path] ?? '', messages[field.path], words[field.path]))}
            <label>Logo <input type="file" name="logo" accept="image/png,image/jpeg,image/webp,image/svg+xml"></label>
            ${messageFor('logoId', messages.logoId, words.logoId)}
            <button class="first">Save</button>
          </fieldset>
        </form>
        <aside class="stack" aria-label="Preview and review">
          <p class="faint">As customers will see it</p>
          ${appCard({ name: values.name ?? '', shortDescription: values['listingInfo.shortDescription'], backgroundColor: values['listingInfo.backgroundColor'] ?? '', logoUrl: view.logoUrl })}
          <section class="panel stack" aria-label="Review">${review(own)}</section>
          <p class="faint">${installs(view.installationCount)} · client id <code>${app.id}</code></p>
        </aside>
      </div>`,
  );
}

function input({ path, label, help, kind, isRequired }: Field, value: string, error?: string, words?: string): Markup {
  const attributes = html`id="${path}" name="${path}" aria-describedby="${path}-help" ${error ? 'aria-invalid=true' : ''}`;
  const type = kind === 'color' ? 'color' : 'text';
  const control =
    kind === 'long'
      ? html`<textarea ${attributes} rows="4">${value}</textarea>`
      : html`<input type="${type}" ${attributes} value="${value}" ${isRequired ? 'required' : ''} ${kind === 'url' ? 'inputmode=url' : ''}>`;
  return html`<div class="field">
    <label for="${path}">${label}</label>${control}
    <p class="faint" id="${path}-help">${help}</p>
    ${messageFor(path, error, words)}
  </div>`;
}

function messageFor(path: string, error: string | undefined, words: string | undefined): Markup {
  return html`${error ? html`<p class="note bad" data-at="${path}">${error}</p>` : ''}${words ? html`<p class="note warn" data-at="${path}"><strong>Reviewer:</strong> ${words}</p>` : ''}`;
}

/** The reviewer's messages about fields, while they still apply. */
function reviewersWords({ app, lastDecision }: OwnApp): Values {
  if (!lastDecision || !isLastWord(app.reviewStatus, app.revision, lastDecision)) return {};
  return Object.fromEntries((lastDecision.fields ?? []).map(({ pointer, message }) => [pathOf(pointer), message]));
}

function isLastWord(reviewStatus: string, revision: number, decision: Decision): boolean {
  return reviewStatus === 'REJECTED' || (decision.step === 'reject-change' && decision.revision === revision);
}

function review({ app, lastDecision }: OwnApp): Markup {
  const step = (name: string, text: string) =>
    html`<form method="post" action="/apps/${app.id}/${name}"><button class="${name === 'submit' ? 'first' : ''}">${text}</button></form>`;
  switch (app.reviewStatus) {
    case 'DRAFT':
      return html`<h2>Not published yet</h2><p>Only you see this app.</p>${step('submit', 'Submit for review')}`;
    case 'AWAITING_REVIEW':
      return html`<h2>In review</h2><p>A reviewer will decide on it. Until then, you cannot edit it.</p>${step('withdraw', 'Withdraw')}`;
    case 'REJECTED':
      return html`<h2>${lastDecision?.step === 'revoke' ? 'No longer published' : 'The reviewer wrote'}</h2>
        <blockquote>${lastDecision?.message ?? app.rejectionReason ?? 'See the notes at the fields.'}</blockquote>${step('submit', 'Submit again')}`;
    default:
      return published(app, lastDecision);
  }
}

function published(app: OwnApp['app'], decision: Decision | undefined): Markup {
  const approved = approvedContent(app);
  if (!app.changedSinceApproval || !approved) return html`<h2>Published</h2><p>Customers see this version.</p>`;
  const paths = changedPaths(valuesOf(approved), valuesOf(app));
  if (approved.logoId !== app.logoId) paths.push('logoId');
  if (decision && isLastWord(app.reviewStatus, app.revision, decision))
    return html`<h2>Your change was declined</h2><blockquote>${decision.message ?? 'See the notes at the fields.'}</blockquote>
      <p>Customers still see the approved version.</p>`;
  return html`<h2>Your change is held</h2>
    <p>A reviewer will decide on: <strong>${labelsOf(paths)}</strong>. Until then, customers see the approved version.</p>`;
}

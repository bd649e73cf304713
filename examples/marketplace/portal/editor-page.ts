import { approvedContent, type Decision } from '@appregistrar/client/operator';
import { html } from 'hono/html';
import { appCard } from '../web/app-card.ts';
import { type Markup, page } from '../web/layout.ts';
import type { Session } from '../web/sign-in.ts';
import { changedPaths, type Field, fields, labelsOf, pathOf, type Values, valuesOf } from './fields.ts';
import type { OwnApp } from './own-app.ts';
import { installs, part, status } from './pages.ts';

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
  const comments = reviewersComments(own);
  return page(
    { part, title: view.name, links: { '/': 'Your apps' }, person: person.name, scripts: ['/preview.js'] },
    html`<div class="title"><h1>${view.name}</h1>${status(app)}</div>
      ${notice ? html`<p role="status" class="note ${notice.kind}">${notice.text}</p>` : ''}
      <div class="columns">
        <form method="post" action="/apps/${app.id}" enctype="multipart/form-data" class="panel stack" data-app="${app.id}" data-state="${stateOf(own)}">
          <p class="note warn" id="restored" role="status" hidden>What you typed before is here again. Save it, or reload the page without it: <button type="button">Discard</button></p>
          <input type="hidden" name="base" value="${JSON.stringify({ data: view, response: { etag } })}">
          <fieldset class="stack" ${isFrozen ? 'disabled' : ''}>
            <legend class="hidden">Content</legend>
            ${fields.map((field) => input(field, values[field.path] ?? '', messages[field.path], comments.get(field.path)))}
            <label>Logo <input type="file" name="logo" accept="image/png,image/jpeg,image/webp,image/svg+xml"></label>
            ${messageFor('logoId', messages.logoId, comments.get('logoId'))}
            <button class="first">Save</button>
          </fieldset>
        </form>
        <aside class="stack" aria-label="Preview and review">
          <p class="faint">As customers will see it</p>
          ${appCard({ name: values.name ?? '', shortDescription: values['listingInfo.shortDescription'], longDescription: values['listingInfo.longDescription'], backgroundColor: values['listingInfo.backgroundColor'] ?? '', logoUrl: view.logoUrl })}
          <p class="note warn" id="moved" role="status" hidden>The review has moved on. <a href="/apps/${app.id}">Show it</a></p>
          <section class="panel stack" aria-label="Review">${review(own)}</section>
          ${history(own.decisions)}
          <p class="faint">${installs(view.installationCount)} · client id <code>${app.id}</code></p>
        </aside>
      </div>`,
  );
}

function input(
  { path, label, help, kind, isRequired, charactersMax }: Field,
  value: string,
  error?: string,
  comment?: Comment,
): Markup {
  const attributes = html`id="${path}" name="${path}" aria-describedby="${path}-help" data-max="${charactersMax}" ${error ? 'aria-invalid=true' : ''}`;
  const type = kind === 'color' ? 'color' : 'text';
  const control =
    kind === 'long'
      ? html`<textarea ${attributes} rows="4">${value}</textarea>`
      : html`<input type="${type}" ${attributes} value="${value}" ${isRequired ? 'required' : ''} ${kind === 'url' ? 'inputmode=url' : ''}>`;
  return html`<div class="field">
    <label for="${path}">${label}</label>${control}
    <p class="faint" id="${path}-help">${help}${kind === 'color' ? '' : html` <output for="${path}">At most ${charactersMax} characters.</output>`}</p>
    ${messageFor(path, error, comment)}
  </div>`;
}

function messageFor(path: string, error: string | undefined, comment: Comment | undefined): Markup {
  return html`${error ? html`<p class="note bad" data-at="${path}">${error}</p>` : ''}${comment ? commentNote(path, comment) : ''}`;
}

function commentNote(path: string, { text, isAddressed }: Comment): Markup {
  return html`<p class="note ${isAddressed ? 'good' : 'warn'}" data-at="${path}"><strong>Reviewer:</strong> ${text}
    ${isAddressed ? html`<span class="chip">Changed since</span>` : ''}</p>`;
}

/** What the reviewer wrote about a field, and whether the field has changed since then. */
interface Comment {
  text: string;
  isAddressed: boolean;
}

/** The comments of the last decision, by the paths of their fields, while they still apply. */
function reviewersComments({ app, decisions: [last] }: OwnApp): Map<string, Comment> {
  if (!last || !isLastWord(app.reviewStatus, app.revision, last)) return new Map();
  const changed = new Set(changedPaths(valuesOf(last.content), valuesOf(app)));
  if (last.content.logoId !== app.logoId) changed.add('logoId');
  return new Map(
    (last.fields ?? []).map(({ pointer, message }) => {
      const path = pathOf(pointer);
      return [path, { text: message, isAddressed: changed.has(path) }];
    }),
  );
}

function isLastWord(reviewStatus: string, revision: number, decision: Decision): boolean {
  return reviewStatus === 'REJECTED' || (decision.step === 'reject-change' && decision.revision === revision);
}

function review(own: OwnApp): Markup {
  const { app } = own;
  const [lastDecision] = own.decisions;
  const step = (name: string, text: string) =>
    html`<form method="post" action="/apps/${app.id}/${name}"><button class="${name === 'submit' ? 'first' : ''}">${text}</button></form>`;
  switch (app.reviewStatus) {
    case 'DRAFT':
      return html`<h2>Not published yet</h2><p>Only you see this app.</p>${checklist(own)}${step('submit', 'Submit for review')}`;
    case 'AWAITING_REVIEW':
      return html`<h2>In review</h2><p>A reviewer will decide on it. Until then, you cannot edit it.</p>${step('withdraw', 'Withdraw')}`;
    case 'REJECTED':
      return html`<h2>${lastDecision?.step === 'revoke' ? 'No longer published' : 'The reviewer wrote'}</h2>
        <blockquote>${lastDecision?.message ?? app.rejectionReason ?? 'See the comments at the fields.'}</blockquote>${checklist(own)}${step('submit', 'Submit again')}`;
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
    return html`<h2>Your change was declined</h2><blockquote>${decision.message ?? 'See the comments at the fields.'}</blockquote>
      <p>Customers still see the approved version.</p>`;
  return html`<h2>Your change is held</h2>
    <p>A reviewer will decide on: <strong>${labelsOf(paths)}</strong>. Until then, customers see the approved version.</p>`;
}

/** What a reviewer will look for: the fields that customers need, and what the registry warns reviewers about. */
function checklist({ app }: OwnApp): Markup {
  const values: Values = { ...valuesOf(app), logoId: app.logoId ?? '' };
  const items = [
    ...Object.entries(expected).map(([path, text]) => ({ text, isDone: values[path] !== '' })),
    ...app.warnings.map(({ field, detail }) => ({ text: `${labelsOf([field])}: ${detail}`, isDone: false })),
  ];
  return html`<ul class="checklist" aria-label="Before you submit">${items.map(
    ({ text, isDone }) =>
      html`<li class="${isDone ? 'done' : 'open'}"><span class="hidden">${isDone ? 'Done: ' : 'Open: '}</span>${text}</li>`,
  )}</ul>`;
}

const expected: Record<string, string> = {
  logoId: 'A logo',
  'listingInfo.shortDescription': 'A line for the card',
  'listingInfo.longDescription': 'A description that says what the app does',
  'oauthInfo.loginUrl': 'A login URL, so that customers can open it',
  'oauthInfo.callbackUrl': 'A callback URL, so that people can sign in',
};

const decisionTexts: Record<string, string> = {
  approve: 'Approved',
  reject: 'Sent back',
  'reject-change': 'Change declined',
  revoke: 'No longer published',
};

function history(decisions: Decision[]): Markup | string {
  if (decisions.length === 0) return '';
  return html`<section class="panel stack" aria-label="History"><h2>History</h2>
    <ol class="history">${decisions.map(
      ({ step, decidedAt, message }) => html`<li>
        <strong>${decisionTexts[step] ?? step}</strong> <time class="faint" datetime="${decidedAt}">${decidedAt.slice(0, 10)}</time>
        ${message ? html`<q>${message}</q>` : ''}</li>`,
    )}</ol></section>`;
}

/** What the page compares with that of the registry: it differs once a reviewer has decided. */
export function stateOf({ app, decisions: [last] }: OwnApp): string {
  return [app.reviewStatus, last?.id ?? ''].join(' ');
}

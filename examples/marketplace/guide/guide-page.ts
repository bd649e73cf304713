import { html } from 'hono/html';
import { type Markup, page } from '../web/layout.ts';
import { required } from '../web/required.ts';

const [portal, storefront, console, sampleApp] = ['PORTAL_URL', 'STOREFRONT_URL', 'CONSOLE_URL', 'SAMPLE_APP_URL'].map(
  required,
);

interface Step {
  title: string;
  text: Markup;
  url: string | undefined;
  link: string;
}

/** The parts of an event that the page shows. */
export interface ShownEvent {
  id: string;
  type: string;
  timestamp: string;
  subjectId: string;
}

const steps: Step[] = [
  {
    title: 'Publish',
    text: html`Sign in as Ada, create <em>Invoice Sync</em> and describe it. Its login URL is <code>${sampleApp}/login</code>, its callback URL <code>${sampleApp}/callback</code>. Then submit it.`,
    url: portal,
    link: 'Open the developer portal',
  },
  {
    title: 'Review',
    text: html`Sign in as Ruth through the identity provider, and reject the app with a note at a field. Ada reads the note there, fixes the field and submits again. Then approve the app.`,
    url: console,
    link: 'Open the console',
  },
  {
    title: 'Install',
    text: html`Sign in as Noor, find the app and install it in her workspace.`,
    url: storefront,
    link: 'Open the storefront',
  },
  {
    title: 'Sign in with OAuth',
    text: html`Open the app from the workspace: a third-party app learns who she is through the authorization code flow with PKCE, at the approved callback URL.`,
    url: `${storefront}/workspace`,
    link: 'Open the workspace',
  },
  {
    title: 'Change and revoke',
    text: html`Ada changes the callback URL. The change is held, and not honoured until Ruth approves it. Revoke the app, and it disappears everywhere.`,
    url: portal,
    link: 'Change the app',
  },
];

/** The five steps of the story, and the events as they arrive. */
export function guidePage(events: ShownEvent[]): Markup {
  return page(
    { part: 'Guide', title: 'A marketplace in a box', scripts: ['/events.js'] },
    html`<section class="hero"><h1>A marketplace in a box</h1>
        <p>Developers publish, reviewers decide, customers install, and an app signs them in: all on one registry.</p></section>
      <div class="columns">
        <ol class="steps">${steps.map(
          ({ title, text, url, link }) =>
            html`<li class="panel"><h2>${title}</h2><p>${text}</p><a class="button" href="${url}">${link}</a></li>`,
        )}</ol>
        <aside class="panel" aria-label="Events">
          <h2>Webhooks, as they arrive</h2>
          <div role="log" aria-label="Received events"><ul id="events" class="events" data-last="${events[0]?.id ?? ''}">${events.map(eventItem)}</ul></div>
          <template id="event">${eventItem({ id: '', type: '', timestamp: '', subjectId: '' })}</template>
        </aside>
      </div>`,
  );
}

function eventItem({ type, timestamp, subjectId }: ShownEvent): Markup {
  return html`<li><strong class="type">${type}</strong><span class="subjectId faint">${subjectId}</span><time class="timestamp faint">${timestamp.slice(11, 19)}</time></li>`;
}

import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';
import { errorPage, type Markup, page } from '../web/layout.ts';
import { webApp } from '../web/web-app.ts';
import type { AppClients } from './app-clients.ts';
import { type Account, people, personOf } from './people.ts';

type InteractionContext = Context<{ Bindings: HttpBindings }>;

const part = 'Sign-in';

/** The pages on which people sign in and consent to an app. */
export function interactionPages(provider: Provider, apps: AppClients): Hono<{ Bindings: HttpBindings }> {
  const app = webApp<{ Bindings: HttpBindings }>(part);
  const details = ({ env }: InteractionContext) => provider.interactionDetails(env.incoming, env.outgoing);
  const finish = async (context: InteractionContext, result: object) =>
    context.redirect(await provider.interactionResult(context.env.incoming, context.env.outgoing, result));

  app.get('/interaction/:uid', async (context) => {
    const { prompt, params, session } = await details(context);
    const isSignIn = prompt.name === 'login' || context.req.query('as') === 'another';
    return context.html(isSignIn ? signInPage() : await consentPage(apps, params.client_id, session?.accountId ?? ''));
  });
  app.post('/interaction/:uid', async (context) => {
    const form = await context.req.parseBody();
    if ('cancel' in form) return finish(context, denied('The user cancelled.'));
    if ('account' in form) return finish(context, { login: { accountId: form.account } });
    const { params, session } = await details(context);
    const accountId = session?.accountId ?? '';
    if (!(await apps.isInstalledFor(params.client_id, accountId)))
      return context.html(errorPage(part, 'This app is not installed in your workspace. Install it first.'), 403);
    return finish(context, { consent: { grantId: await grant(provider, params, accountId) } });
  });
  return app;
}

function grant(provider: Provider, { client_id, scope }: Interaction['params'], accountId: string): Promise<string> {
  const granted = new provider.Grant({ accountId, clientId: client_id });
  granted.addOIDCScope(scope);
  return granted.save();
}

const denied = (reason: string) => ({ error: 'access_denied', error_description: reason });

function signInPage(): Markup {
  return page(
    { part, title: 'Sign in' },
    html`<section class="narrow">
      <h1>Who are you?</h1>
      <p class="faint">This example has five people and no passwords.</p>
      <form method="post" class="stack">${people.map(personButton)}</form>
    </section>`,
  );
}

function personButton({ id, name, role }: Account): Markup {
  return html`<button class="choice" name="account" value="${id}">
    <span class="avatar" aria-hidden="true">${name[0]}</span><span><strong>${name}</strong><span class="faint">${role}</span></span>
  </button>`;
}

async function consentPage(apps: AppClients, clientId: string, accountId: string): Promise<Markup> {
  const client = (await apps.find(clientId)) as { client_name: string } | undefined;
  const { name, workspace } = personOf(accountId) ?? { name: 'You', workspace: undefined };
  const isInstalled = await apps.isInstalledFor(clientId, accountId);
  const request = isInstalled
    ? html`<p>It will see your name and your workspace, <strong>${workspace?.name}</strong>, until the app is removed.</p>
        <form method="post" class="row"><button class="first">Allow</button><button name="cancel" value="1">Cancel</button></form>`
    : html`<p class="note warn">This app is not installed in your workspace, or is disabled. Install or enable it in the storefront first.</p>
        <form method="post"><button name="cancel" value="1">Go back</button></form>`;
  return page(
    { part, title: 'Allow an app' },
    html`<section class="narrow">
      <h1>${client?.client_name ?? 'An app'} would like to know who you are</h1>
      <p>You are ${name}. <a href="?as=another">Sign in as someone else</a></p>
      ${request}
    </section>`,
  );
}

import { html } from 'hono/html';
import * as openId from 'openid-client';
import { errorPage, type Markup, page } from '../web/layout.ts';
import { required } from '../web/required.ts';
import { type Session, SignIn, type SignInEnv } from '../web/sign-in.ts';
import { listen, webApp } from '../web/web-app.ts';

/** A third-party app. It knows the marketplace's provider, but not its registry. */
const name = 'Invoice Sync';
const issuer = required('ISSUER');
const signIn = new SignIn({
  issuer,
  baseUrl: required('BASE_URL'),
  cookie: 'sample-app',
  // The access outlasts a sign-out at the marketplace, which needs the person's consent.
  parameters: { scope: 'openid profile workspace offline_access', prompt: 'consent' },
});
const app = webApp<SignInEnv>('');
signIn.addTo(app);

/** The app's login URL: the storefront sends people here. */
app.get('/login', (context) => {
  const { iss, client_id: clientId } = context.req.query();
  if (iss !== issuer || !clientId) return context.html(errorPage('', 'Open this app from your workspace.'), 400);
  return signIn.start(context, clientId);
});

app.get('/', (context) => {
  const session = context.get('session');
  return context.html(session ? signedInPage(session) : welcomePage());
});

/** Shows whether the app still has access. */
app.post('/renew', async (context) => {
  const session = context.get('session');
  return session ? context.html(signedInPage(session, await renew(session))) : context.redirect('/');
});

async function renew(session: Session): Promise<Markup> {
  try {
    const configuration = await signIn.configuration(session.clientId);
    const tokens = await openId.refreshTokenGrant(configuration, session.refreshToken ?? '');
    session.accessToken = tokens.access_token;
    session.refreshToken = tokens.refresh_token;
    const { name } = await openId.fetchUserInfo(configuration, tokens.access_token, session.person.id);
    return html`<p role="status" class="note good">This app still has access on behalf of ${name}.</p>`;
  } catch (error) {
    if (!(error instanceof openId.ResponseBodyError)) throw error;
    return html`<p role="status" class="note bad">This app no longer has access (${error.error}).</p>`;
  }
}

function welcomePage(): Markup {
  return page(
    { name, title: 'Welcome' },
    html`<section class="hero"><h1>Invoices and ledgers, in step</h1><p>Open this app from your workspace in the storefront.</p></section>`,
  );
}

function signedInPage({ person }: Session, result: Markup | string = ''): Markup {
  return page(
    { name, title: 'Home', person: person.name },
    html`<section class="hero">
      <h1>Hello, ${person.name}</h1>
      <p>You signed in from <strong>${person.workspace?.name}</strong> through the authorization code flow with PKCE.</p>
      <form method="post" action="/renew"><button class="first">Renew access</button></form>
      ${result}
    </section>`,
  );
}

listen(app);

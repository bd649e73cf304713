import { AppRegistryError } from '@appregistrar/client';
import { errorPage } from '../web/layout.ts';
import { required } from '../web/required.ts';
import { type Session, SignIn, type SignInEnv } from '../web/sign-in.ts';
import { listen, webApp } from '../web/web-app.ts';
import { installationOf, listing, operator, search } from './listings.ts';
import { appPage, brand, cataloguePage, installAction, workspacePage } from './pages.ts';

const issuer = required('ISSUER');
const signIn = new SignIn({
  issuer,
  baseUrl: required('BASE_URL'),
  clientSecret: required('CLIENT_SECRET'),
  cookie: 'storefront',
  parameters: { scope: 'openid profile workspace', prompt: 'login' },
});
const app = webApp<SignInEnv>(brand);
signIn.addTo(app);
app.get('/sign-in', (context) => signIn.start(context, 'storefront'));

app.get('/', async (context) => {
  const text = context.req.query('q') ?? '';
  return context.html(cataloguePage(context.get('session'), text, await search(text)));
});

app.get('/apps/:id', async (context) => {
  const session = context.get('session');
  const item = await listing(context.req.param('id'));
  if (!item) return context.html(errorPage(brand, 'App not found. It may no longer be available.'), 404);
  const workspaceId = workspaceOf(session)?.id;
  const installation = workspaceId === undefined ? undefined : await installationOf(item.id, workspaceId);
  return context.html(appPage(session, item, installAction(session, item.id, installation)));
});

app.post('/apps/:id/install', async (context) => {
  const session = context.get('session');
  const workspace = workspaceOf(session);
  if (!session || !workspace) return context.redirect('/sign-in', 303);
  try {
    const installation = { appId: context.req.param('id'), workspaceId: workspace.id, userId: session.person.id };
    await operator.installations.create(installation);
  } catch (error) {
    // It is installed already, or no longer approved.
    if (!AppRegistryError.is(error) || error.problem === undefined) throw error;
    return context.html(errorPage(brand, error.problem.detail), 409);
  }
  return context.redirect('/workspace', 303);
});

app.get('/workspace', async (context) => {
  const session = context.get('session');
  const workspace = workspaceOf(session);
  if (!session || !workspace) return context.redirect('/');
  const installations = await Array.fromAsync(operator.installations.list({ workspaceId: workspace.id }));
  const installed = await Promise.all(
    installations.map(async (installation) => {
      const item = await listing(installation.appId);
      return item ? [{ installation, item, openUrl: item.loginUrl && openUrl(item.id, item.loginUrl) }] : [];
    }),
  );
  return context.html(workspacePage(session, installed.flat()));
});

app.post('/installations/:id/:action{enable|disable|remove}', async (context) => {
  const { id, action } = context.req.param();
  const workspace = workspaceOf(context.get('session'));
  const installation = await operator.installations.get(id).catch(() => undefined);
  if (!workspace || installation?.workspaceId !== workspace.id)
    return context.html(errorPage(brand, 'This app is not installed in your workspace.'), 404);
  if (action === 'enable') await operator.installations.enable(id);
  if (action === 'disable') await operator.installations.disable(id);
  if (action === 'remove') await operator.installations.delete(id);
  return context.redirect('/workspace', 303);
});

/** Starts the sign-in at the app, which learns who calls it (OpenID Connect Core, 4) and by which client. */
function openUrl(clientId: string, loginUrl: string): string {
  const url = new URL(loginUrl);
  url.searchParams.set('iss', issuer);
  url.searchParams.set('client_id', clientId);
  return url.href;
}

function workspaceOf(session: Session | undefined) {
  return session?.person.workspace;
}

listen(app);

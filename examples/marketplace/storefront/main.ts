import { AppRegistryError } from '@appregistrar/client';
import { errorPage } from '../web/layout.ts';
import { required } from '../web/required.ts';
import { type Session, SignIn, type SignInEnv } from '../web/sign-in.ts';
import { listen, webApp } from '../web/web-app.ts';
import { installationOf, listing, operator, search } from './listings.ts';
import { appPage, cataloguePage, installAction, part, removePage, workspacePage } from './pages.ts';

const issuer = required('ISSUER');
const signIn = new SignIn({
  issuer,
  baseUrl: required('BASE_URL'),
  clientSecret: required('CLIENT_SECRET'),
  cookie: 'storefront',
  parameters: { scope: 'openid profile workspace', prompt: 'login' },
});
const app = webApp<SignInEnv>(part);
signIn.addTo(app);
app.get('/sign-in', (context) => signIn.start(context, 'storefront'));

app.get('/', async (context) => {
  const text = context.req.query('q') ?? '';
  return context.html(cataloguePage(context.get('session'), text, await search(text)));
});

app.get('/apps/:id', async (context) => {
  const session = context.get('session');
  const item = await listing(context.req.param('id'));
  if (!item) return context.html(errorPage(part, 'App not found. It may no longer be available.'), 404);
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
    return context.html(errorPage(part, error.problem.detail), 409);
  }
  return context.redirect(`/workspace?installed=${encodeURIComponent(context.req.param('id'))}`, 303);
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
  const added = installed.flat().find(({ item }) => item.id === context.req.query('installed'));
  const notice = added && `${added.item.name} is installed in ${workspace.name}. Everyone there can open it.`;
  return context.html(workspacePage(session, installed.flat(), notice));
});

app.get('/installations/:id/remove', async (context) => {
  const session = context.get('session');
  const installation = await ownInstallation(session, context.req.param('id'));
  const item = installation && (await listing(installation.appId));
  if (!session || !item) return context.html(errorPage(part, notInstalled), 404);
  return context.html(removePage(session, installation, item));
});

app.post('/installations/:id/:action{enable|disable|remove}', async (context) => {
  const { id, action } = context.req.param();
  if (!(await ownInstallation(context.get('session'), id))) return context.html(errorPage(part, notInstalled), 404);
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

const notInstalled = 'This app is not installed in your workspace.';

/** Undefined for that of another workspace. */
async function ownInstallation(session: Session | undefined, id: string) {
  const installation = await operator.installations.get(id).catch(() => undefined);
  return installation?.workspaceId === (workspaceOf(session)?.id ?? '') ? installation : undefined;
}

function workspaceOf(session: Session | undefined) {
  return session?.person.workspace;
}

listen(app);

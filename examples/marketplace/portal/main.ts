import { readFile } from 'node:fs/promises';
import { AppRegistryError } from '@appregistrar/client';
import type { Context } from 'hono';
import { required } from '../web/required.ts';
import { type Session, SignIn, type SignInEnv } from '../web/sign-in.ts';
import { listen, webApp } from '../web/web-app.ts';
import { editorPage, stateOf } from './editor-page.ts';
import { labelsOf, sentValues, valuesOf } from './fields.ts';
import { operator, ownApp, ownApps } from './own-app.ts';
import { appsPage, part, welcomePage } from './pages.ts';
import { save } from './save.ts';

const signIn = new SignIn({
  issuer: required('ISSUER'),
  baseUrl: required('BASE_URL'),
  clientSecret: required('CLIENT_SECRET'),
  cookie: 'portal',
  // The token is for the registry, which knows the developer by its subject. In this example, everyone chooses a person
  // to sign in as.
  parameters: { scope: 'openid profile app-registry:developer', resource: required('AUDIENCE'), prompt: 'login' },
});
const app = webApp<SignInEnv>(part, explain);
signIn.addTo(app);
app.get('/sign-in', (context) => signIn.start(context, 'portal'));
app.get('/preview.js', async (context) =>
  context.body(await readFile(new URL('preview.js', import.meta.url)), 200, { 'content-type': 'text/javascript' }),
);

app.get('/', async (context) => {
  const session = context.get('session');
  return context.html(session ? appsPage(session, await ownApps(session)) : welcomePage());
});

app.use('/apps/*', async (context, next) => (context.get('session') ? next() : context.redirect('/')));

app.post('/apps', async (context) => {
  const session = sessionOf(context);
  const { name } = await context.req.parseBody();
  try {
    const { id } = await operator.apps.create({ developerId: session.person.id, name: String(name) });
    return context.redirect(`/apps/${id}`, 303);
  } catch (error) {
    if (!AppRegistryError.is(error) || error.problem === undefined) throw error;
    const { errors = [], detail } = error.problem;
    return context.html(appsPage(session, await ownApps(session), errors[0]?.detail ?? detail), 422);
  }
});

app.get('/apps/:id', async (context) => {
  const own = await ownApp(sessionOf(context), context.req.param('id'));
  const { saved, merged } = context.req.query();
  const text = merged ? `Saved and merged with changes from another window: ${labelsOf(merged.split(' '))}.` : 'Saved.';
  const notice = saved === undefined ? undefined : ({ kind: merged ? 'warn' : 'good', text } as const);
  return context.html(editorPage(sessionOf(context), { own, values: valuesOf(own.view), messages: {}, notice }));
});

/** The page reads it every few seconds. A portal with a webhook could send it to the page instead. */
app.get('/apps/:id/state', async (context) =>
  context.text(stateOf(await ownApp(sessionOf(context), context.req.param('id')))),
);

app.post('/apps/:id', async (context) => {
  const session = sessionOf(context);
  const id = context.req.param('id');
  const form = await context.req.parseBody();
  const after = sentValues(form);
  const edit = { base: JSON.parse(String(form.base)), after };
  const { logoId, refusal } = await uploadedLogo(session, form.logo);
  const outcome = await save(session, id, { ...edit, logoId });
  if (outcome.isSaved && !refusal)
    return context.redirect(`/apps/${id}?${new URLSearchParams({ saved: '', merged: outcome.merged.join(' ') })}`, 303);
  const { message, messages } = outcome.isSaved ? { message: 'The logo was not saved.', messages: {} } : outcome;
  const shown = {
    own: await ownApp(session, id),
    values: after,
    messages: { ...messages, ...(refusal && { logoId: refusal }) },
    notice: { kind: 'bad', text: message } as const,
  };
  return context.html(editorPage(session, shown), 422);
});

for (const step of ['submit', 'withdraw'] as const) {
  app.post(`/apps/:id/${step}`, async (context) => {
    // The developer's own token reads the app first, so no one submits the app of another.
    const { view, etag } = await ownApp(sessionOf(context), context.req.param('id'));
    await operator.apps[step](view.id, { ifMatch: etag });
    return context.redirect(`/apps/${view.id}`, 303);
  });
}

/** The id of an uploaded logo, or why the registry refuses it. Neither, if the form has no logo. */
async function uploadedLogo({ person }: Session, image: unknown): Promise<{ logoId?: string; refusal?: string }> {
  if (!(image instanceof File) || image.size === 0) return {};
  try {
    return { logoId: (await operator.logos.create({ developerId: person.id, image })).id };
  } catch (error) {
    if (!AppRegistryError.is(error) || error.problem === undefined) throw error;
    return { refusal: error.problem.errors?.[0]?.detail ?? error.problem.detail };
  }
}

/** After the check that there is one. */
function sessionOf(context: Context<SignInEnv>): Session {
  return context.get('session') as Session;
}

function explain(error: Error) {
  if (!AppRegistryError.is(error)) return undefined;
  const message = error.problem?.detail ?? error.message;
  if (error.statusCode === 401)
    return { status: 401, message: 'Your session has expired. Sign out, then sign in again.' } as const;
  if (error.statusCode === 404)
    return { status: 404, message: 'App not found. Open it from your list of apps.' } as const;
  // Another window submitted or changed it first.
  return error.statusCode === 409 || error.statusCode === 412 ? ({ status: 409, message } as const) : undefined;
}

listen(app);

import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { required } from '../web/required.ts';
import { AppClients } from './app-clients.ts';
import { Grants } from './grants.ts';
import { interactionPages } from './interactions.ts';
import { createProvider } from './provider.ts';

const grants = new Grants();
const apps = new AppClients({ baseUrl: required('OPERATOR_URL'), token: required('OPERATOR_TOKEN') }, grants);
const provider = createProvider({
  issuer: required('ISSUER'),
  audience: required('AUDIENCE'),
  ownClients: JSON.parse(required('OWN_CLIENTS')),
  apps,
  grants,
});
const handle = provider.callback();
const showPage = getRequestListener(interactionPages(provider, apps).fetch);

const server = createServer((request, response) => {
  const isPage = /^\/(interaction\/|style\.css|favicon\.ico)/.test(request.url ?? '');
  (isPage ? showPage : handle)(request, response);
});
server.listen(Number(required('PORT')), '127.0.0.1', () => process.send?.('listening'));
for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => process.exit());

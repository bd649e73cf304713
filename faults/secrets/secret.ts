import { apiRequest } from '@appregistrar/testkit/http/http-request';
import { send } from '@appregistrar/testkit/http/send';
import type { Service } from '../harness/service.ts';

/** A text that only its recipient may know. */
export interface Secret {
  name: string;
  text: string;
}

/** One secret of each kind, issued by the service under test. */
export async function createSecrets(service: Service, token: string): Promise<Secret[]> {
  const create = async <Created>(path: string, body: object) =>
    (
      await send<Created>(
        service.operatorUrl,
        apiRequest(token, { method: 'POST', path: `/operator/v1/${path}`, body }),
      )
    ).view;
  const { id: developerId } = await create<{ id: string }>('developers', { email: 'ada@example.com' });
  const issue = (given: object) => create<{ id: string; token: string }>('tokens', given);
  const operator = await issue({ kind: 'operator', scopes: ['admin'] });
  const revoked = await issue({ kind: 'operator', scopes: ['admin'] });
  await create(`tokens/${revoked.id}/revoke`, {});
  const webhook = await create<{ secret: string }>('webhooks', { url: 'https://receiver.example/hook' });
  const texts = {
    'a developer token': (await issue({ kind: 'developer', developerId })).token,
    'a platform token': (await issue({ kind: 'platform' })).token,
    'an operator token': operator.token,
    'a revoked token': revoked.token,
    'a session': await createSession(service, operator.token),
    'the secret of a webhook': webhook.secret,
  };
  return Object.entries(texts).map(([name, text]) => ({ name, text }));
}

/** The value of the session cookie. */
async function createSession({ operatorUrl }: Service, token: string): Promise<string> {
  const body = JSON.stringify({ token });
  const headers = { 'content-type': 'application/json' };
  const {
    status,
    headers: received,
    text,
  } = await send(operatorUrl, { method: 'POST', path: '/session', headers, body });
  const cookie = /^[\w-]+=([^;]+)/.exec(received['set-cookie'] ?? '')?.[1];
  if (!cookie) throw new Error(`sign-in failed: ${status} ${text}`);
  return cookie;
}

import { askFor } from '../frame/http-request.ts';
import type { Service } from '../frame/service.ts';

/** Something that nobody may learn but who was given it. */
export interface Secret {
  name: string;
  text: string;
  /** What signs has to be stored as it is. */
  isStored: boolean;
}

/** One of each kind, all issued by the service under test. */
export async function makeSecrets(service: Service, token: string): Promise<Secret[]> {
  const create = <Created>(path: string, body: object) =>
    askFor<Created>(`${service.operatorUrl}/operator/v1/${path}`, { method: 'POST', token, body });
  const { userId: developerId } = await create<{ userId: string }>('developers', { email: 'ada@example.com' });
  const issue = (given: object) => create<{ id: string; token: string }>('tokens', given);
  const operator = await issue({ kind: 'operator', scopes: ['admin'] });
  const revoked = await issue({ kind: 'operator', scopes: ['admin'] });
  await create(`tokens/${revoked.id}/revoke`, {});
  const texts = {
    'a developer token': (await issue({ kind: 'developer', developerId })).token,
    'a platform token': (await issue({ kind: 'platform' })).token,
    'an operator token': operator.token,
    'a revoked token': revoked.token,
    'a session': await newSession(service, operator.token),
  };
  const { secret } = await create<{ secret: string }>('webhooks', { url: 'https://receiver.example/hook' });
  return [
    { name: 'the secret of a webhook', text: secret, isStored: true },
    ...Object.entries(texts).map(([name, text]) => ({ name, text, isStored: false })),
  ];
}

/** The text of its cookie. */
async function newSession({ operatorUrl }: Service, token: string): Promise<string> {
  const body = JSON.stringify({ token });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${operatorUrl}/session`, { method: 'POST', headers, body });
  const text = /^[\w-]+=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  if (!text) throw new Error(`nobody was signed in: ${answer.status} ${await answer.text()}`);
  return text;
}

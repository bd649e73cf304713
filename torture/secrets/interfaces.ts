import type { Service } from '../frame/service.ts';
import type { Secret } from './secret.ts';

/** An operation of either listener. */
interface ParityInterface {
  method: string;
  /** Its parameters between braces. */
  url: string;
}

interface Sent {
  what: string;
  /** Sends it; to the whole answer, header and body. */
  answer: () => Promise<string>;
}

/** Every operation that the service describes, and what signs in. */
export async function everyDoor({ publicUrl, operatorUrl }: Service): Promise<ParityInterface[]> {
  const described = await Promise.all([publicUrl, operatorUrl].map(operationsOf));
  const session = ['GET', 'POST', 'DELETE'].map((method) => ({ method, url: `${operatorUrl}/session` }));
  return [...described.flat(), ...session];
}

/** The secret in each place of a request to each door. None of them names anything that is there. */
export function secretAtEachPlace(doors: ParityInterface[], { name, text }: Secret): Sent[] {
  return doors.flatMap(({ method, url }) => {
    const known = url.replaceAll(/\{\w+\}/g, 'app_01jq3v9y6ae0xv5m6b7k8c9d0e');
    const body = JSON.stringify({ token: text, name: { text } });
    const json = { 'content-type': 'application/json' };
    const places: Record<string, [string, RequestInit]> = {
      'as the token': [known, { headers: { authorization: `Bearer ${text}` } }],
      'with a typo': [known, { headers: { authorization: `Bearer ${text.slice(0, -1)}` } }],
      'by another scheme': [known, { headers: { authorization: `Basic ${text}` } }],
      'as the cookie': [known, { headers: { cookie: `app-registry=${text}` } }],
      'in the query': [`${known}?access_token=${text}&limit=${text}`, {}],
      'in the path': [url.replaceAll(/\{\w+\}/g, encodeURIComponent(text)), {}],
      'in other fields': [known, { headers: { 'idempotency-key': text, 'if-match': text, 'if-none-match': text } }],
      ...(method !== 'GET' && {
        'in the body': [known, { headers: { ...json, authorization: `Bearer ${text}` }, body }],
        'as the body': [known, { headers: { ...json, authorization: `Bearer ${text}` }, body: text }],
      }),
    };
    return Object.entries(places).map(([place, [address, init]]) => ({
      what: `${method} ${url} with ${name} ${place}`,
      answer: () => send(address, { ...init, method, redirect: 'manual' }),
    }));
  });
}

async function operationsOf(listenerUrl: string): Promise<ParityInterface[]> {
  const { paths } = (await (await fetch(`${listenerUrl}/openapi.json`)).json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    ['get', 'post', 'patch', 'delete']
      .filter((method) => method in methods)
      .map((method) => ({ method: method.toUpperCase(), url: `${listenerUrl}${path}` })),
  );
}

async function send(url: string, init: RequestInit): Promise<string> {
  const answer = await fetch(url, init);
  return `${answer.status}\n${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
}

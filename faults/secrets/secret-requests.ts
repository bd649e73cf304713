import { bearer, type HttpRequest } from '@appregistrar/testkit/http/http-request';
import type { Operation } from './operations.ts';
import type { Secret } from './secret.ts';

interface SecretRequest {
  what: string;
  origin: string;
  request: HttpRequest;
}

/** Requests to each operation with the secret in each possible part. None of them names an existing object. */
export function requestsWith({ name, text }: Secret, operations: Operation[]): SecretRequest[] {
  return operations.flatMap(({ origin, method, path: template }) => {
    const path = template.replaceAll(/\{\w+\}/g, 'app_01jq3v9y6ae0xv5m6b7k8c9d0e');
    const body = JSON.stringify({ token: text, name: { text } });
    const json = { 'content-type': 'application/json', ...bearer(text) };
    const requests: Record<string, Partial<HttpRequest>> = {
      'as the token': { headers: bearer(text) },
      'with a typo': { headers: bearer(text.slice(0, -1)) },
      'with another scheme': { headers: { authorization: `Basic ${text}` } },
      'as the cookie': { headers: { cookie: `app-registry=${text}` } },
      'in the query': { path: `${path}?access_token=${text}&limit=${text}` },
      'in the path': { path: template.replaceAll(/\{\w+\}/g, encodeURIComponent(text)) },
      'in other fields': { headers: { 'idempotency-key': text, 'if-match': text, 'if-none-match': text } },
      ...(method !== 'GET' && {
        'in the body': { headers: json, body },
        'as the body': { headers: json, body: text },
      }),
    };
    return Object.entries(requests).map(([where, request]) => ({
      what: `${method} ${origin}${template} with ${name} ${where}`,
      origin,
      request: { method, path, ...request },
    }));
  });
}

import { OperatorClient, type OperatorClientOptions } from '@appregistrar/client/operator';
import { noteRequest, noteResponse } from './live/own-requests.ts';

/** Dispatched on the window when any request finds that the session has ended. */
export const sessionEnded = 'session-ended';

/** Dispatched on the window after a request of this window has changed something. */
export const registryChanged = 'registry-changed';

const settings: OperatorClientOptions = {
  baseUrl: location.origin,
  // The browser sends its session.
  token: null,
  // People see immediately why a request has failed, and decide whether to retry.
  maxRetries: 0,
  onRequest: noteRequest,
  onResponse(received) {
    const { url, method, response } = received;
    noteResponse(received);
    // A failed sign-in does not end a session.
    const isSignIn = new URL(url).pathname.startsWith('/session');
    if (response.status === 401 && !isSignIn) window.dispatchEvent(new Event(sessionEnded));
    if (response.status < 400 && method !== 'GET' && !isSignIn) window.dispatchEvent(new Event(registryChanged));
  },
};

/** The registry that served the page. All requests of the console go through this client, or through the next one. */
export const operator = new OperatorClient(settings);

/** Its requests are sent even if the page is closed immediately afterwards. Browsers limit their bodies to 64 KiB in all. */
export const lastingOperator = new OperatorClient({
  ...settings,
  fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
});

import { serve } from '@hono/node-server';
import { type Env, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { secureHeaders } from 'hono/secure-headers';
import { errorPage } from './layout.ts';
import { required } from './required.ts';
import { styleFiles } from './style-files.ts';

/** A logo may have 1 MiB, and a form has other fields too. */
const bodyBytesMax = 1_200_000;

/** The message for an expected error; undefined for a defect. */
type Explain = (error: Error) => { status: 401 | 404 | 409; message: string } | undefined;

/** An application with what each page of the marketplace needs: security headers, protected forms, limits and a page for errors. */
export function webApp<E extends Env>(part: string, explain: Explain = () => undefined): Hono<E> {
  const app = new Hono<E>();
  app.use(secureHeaders(headersWith(process.env.REGISTRY_URL)));
  // Other parts of the marketplace are other ports of one host: the same site, but another origin.
  app.use(csrf());
  app.use(bodyLimit({ maxSize: bodyBytesMax }));
  for (const [path, { type, read }] of Object.entries(styleFiles)) {
    app.get(path, async (context) => context.body(await read(), 200, { 'content-type': type }));
  }
  app.notFound((context) => context.html(errorPage(part, 'Page not found.'), 404));
  app.onError((error, context) => {
    if ('getResponse' in error) return error.getResponse();
    const explained = explain(error);
    if (explained) return context.html(errorPage(part, explained.message), explained.status);
    console.error(part, error);
    return context.html(errorPage(part, 'The request failed. Go back and try again.'), 500);
  });
  return app;
}

/** Listens on the port of this process, and ends at once on a signal. */
export function listen<E extends Env>({ fetch }: Hono<E>): void {
  const server = serve({ fetch, port: Number(required('PORT')), hostname: '127.0.0.1' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit());
  // The parent process has exited.
  process.once('disconnect', () => process.exit());
  server.once('listening', () => process.send?.('listening'));
}

/** Logos come from the registry, and their background is a style of the card. */
function headersWith(registryUrl = "'self'") {
  return {
    referrerPolicy: 'same-origin',
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      styleSrcAttr: ["'unsafe-inline'"],
      fontSrc: ["'self'"],
      scriptSrc: ["'self'"],
      connectSrc: ["'self'"],
      imgSrc: ["'self'", 'blob:', registryUrl],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  };
}

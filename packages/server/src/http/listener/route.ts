import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { type Access, type Authenticate, type Restricted, requireAccess, requireToken } from '../auth/bearer-auth.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { TokenUses } from '../auth/token-uses.ts';
import { HttpProblem, pathNotFound } from '../problem/problem.ts';
import type { Cors } from './cors.ts';
import type { Shortcut } from './shortcut.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    anyHost?: boolean;
    cacheable?: boolean;
    /** Of a route that takes what stands nowhere, too. */
    isUnknown?: (request: FastifyRequest) => boolean;
  }
}

/** One line of a listener's route table. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Who may. Judged before the body is read. */
  access: Access;
  /** Also asked by hosts that are not the listener's own. */
  anyHost?: boolean;
  /** Its good answers say themselves how caches may keep them, also on a listener where no other answer is kept. */
  cacheable?: boolean;
  /** Asks what the answer will need of the database, so that it is asked together with the token. */
  ask?: ((request: FastifyRequest) => void) | undefined;
  /** Counts a request against the limits of its holder, once that is known (decision 17: before 403). */
  count?: ((holder: TokenHolder, request: FastifyRequest, reply: FastifyReply) => Promise<void>) | undefined;
  /** Checks the kind of body before it is read. */
  acceptsBody?: (request: FastifyRequest) => void;
  /** A kind of body that no other route takes, which reaches `handle` as its bytes. */
  bytes?: { mediaType: string; bytesMax: number };
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** Beside `handle`, for what comes most often. */
  shortcut?: (doors: MountOptions) => Shortcut;
}

export interface MountOptions {
  authenticate: Authenticate;
  /** Those that are taken where a request brings no token. */
  sessions?: Sessions;
  /** Who is told of each use of a good token, also by a session. */
  tokenUses?: Pick<TokenUses, 'note'>;
  cors?: Cors;
  /** Below it nothing is told without a good token, not even what is served there. Ends with a slash. */
  closed?: string;
}

/** The others are many and hardly ever asked for. */
const usualMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Puts a route table on a listener. A known path answers every other method with 405, but for the
 * preflight requests that `cors` lets through.
 */
export function mount(app: FastifyInstance, routes: Route[], doors: MountOptions): void {
  for (const route of routes) {
    const options = routeOptions(route, doors);
    const { bytes, shortcut } = route;
    if (shortcut) app.shortcuts.push(shortcut(doors));
    if (bytes) void app.register(async (apart) => acceptBytes(apart, bytes).route(options));
    else app.route(options);
  }
  const paths = Map.groupBy(routes, (route) => route.path);
  for (const [path, ofPath] of paths) refuseOtherMethods(app, { path, routes: ofPath }, doors);
  if (doors.closed) refuseOtherPaths(app, doors.closed, doors);
  refuseUnusualMethods(app, paths, doors);
}

function routeOptions(
  { method, path, access, anyHost = false, cacheable = false, ask, count, acceptsBody, handle }: Route,
  doors: MountOptions,
): RouteOptions {
  return {
    method,
    url: path,
    config: { anyHost, cacheable },
    ...(access !== 'anyone' && { onRequest: admission(doors, { access, ask, count }) }),
    ...(acceptsBody && {
      preParsing: async (request) => {
        // A client that has gone meanwhile: its body would be waited for, for ever.
        if (request.raw.destroyed) throw new HttpProblem('malformed_request', 'The connection was closed.');
        acceptsBody(request);
      },
    }),
    handler: handle,
  };
}

function refuseOtherMethods(
  app: FastifyInstance,
  { path, routes }: { path: string; routes: Route[] },
  doors: MountOptions,
): void {
  const { cors, closed } = doors;
  const allowed = methodsOf(routes);
  app.route({
    method: usualMethods.filter((method) => !allowed.includes(method)),
    url: path,
    config: { anyHost: routes.some((route) => route.anyHost) },
    onRequest: async (request, reply) => {
      if (cors?.isPreflight(request)) return reply.code(204).headers(cors.preflightFields(allowed)).send();
      if (closed && path.startsWith(closed)) await requireHolder(doors, request);
      throw methodNotAllowed(allowed);
    },
    handler: () => {},
  });
}

function refuseOtherPaths(app: FastifyInstance, closed: string, doors: MountOptions): void {
  app.route({
    method: usualMethods,
    url: `${closed}*`,
    onRequest: async (request) => {
      await requireHolder(doors, request);
      throw pathNotFound();
    },
    handler: () => {},
  });
}

/**
 * The framework has a tree of paths for each method. With every path in all of them, to be refused there, they took an
 * eighth of the memory of a service and a tenth of its start.
 */
function refuseUnusualMethods(app: FastifyInstance, paths: Map<string, Route[]>, doors: MountOptions): void {
  const known = [...paths].map(([path, routes]) => ({ segments: path.split('/'), allowed: methodsOf(routes) }));
  const find = (path: string) => known.find(({ segments }) => fits(path.split('/'), segments));
  const isClosed = (path: string) => doors.closed !== undefined && path.startsWith(doors.closed);
  app.route({
    method: METHODS.filter((method) => !usualMethods.includes(method)),
    url: '*',
    config: { isUnknown: (request) => !find(pathOf(request)) && !isClosed(pathOf(request)) },
    onRequest: async (request) => {
      const path = pathOf(request);
      if (isClosed(path)) await requireHolder(doors, request);
      const found = find(path);
      throw found ? methodNotAllowed(found.allowed) : pathNotFound();
    },
    handler: () => {},
  });
}

/** As the framework reads it: an encoded slash separates nothing. */
function pathOf({ url }: FastifyRequest): string {
  return decodeURI(url.replace(/\?.*$/, ''));
}

function fits(asked: string[], known: string[]): boolean {
  return asked.length === known.length && known.every((name, at) => name.startsWith(':') || name === asked[at]);
}

function methodsOf(routes: Route[]): string[] {
  return routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

function methodNotAllowed(allowed: string[]): HttpProblem {
  const allow = allowed.join(', ');
  return new HttpProblem('method_not_allowed', `This path takes ${allow}.`, { allow });
}

/** Makes a part of a listener take another kind of body. */
function acceptBytes(app: FastifyInstance, { mediaType, bytesMax }: NonNullable<Route['bytes']>): FastifyInstance {
  const asTheyCame = async (_request: unknown, body: string | Buffer) => body;
  app.addContentTypeParser(mediaType, { parseAs: 'buffer', bodyLimit: bytesMax }, asTheyCame);
  return app;
}

/** Lets the holders of the right tokens in, and counts each. */
function admission(doors: MountOptions, { access, ask, count }: Pick<Route, 'ask' | 'count'> & { access: Restricted }) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    ask?.(request);
    const holder = await requireHolder(doors, request);
    request.holder = holder;
    await count?.(holder, request, reply);
    requireAccess(holder, access);
  };
}

/** A token is what a program sends on purpose, so it counts and not the session that a browser may add. */
async function requireHolder(
  { authenticate, sessions, tokenUses }: MountOptions,
  request: FastifyRequest,
): Promise<TokenHolder> {
  const isToken = request.headers.authorization !== undefined || sessions?.textOf(request) === undefined;
  const holder = await (isToken ? requireToken(authenticate, request) : sessions.requireHolder(request));
  tokenUses?.note(holder);
  return holder;
}

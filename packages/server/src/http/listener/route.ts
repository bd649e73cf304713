import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Principal } from '../../features/access/access-token.ts';
import type { PathParams } from '../../kernel/operation.ts';
import {
  type Access,
  type Authenticate,
  type PrincipalOf,
  requireAccess,
  requireToken,
  type TokenUses,
} from '../auth/bearer-auth.ts';
import type { Sessions } from '../auth/sessions.ts';
import { jsonMediaTypes, requireConnected } from '../body/json-body.ts';
import type { OperatorLimits, Quota } from '../limits/rate-limit.ts';
import { HttpProblem, pathNotFound } from '../problem/problem.ts';
import type { NodeRoute } from './request-context.ts';
import { type Cors, knownMethods, methodsOf } from './request-header.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    anyHost?: boolean;
    anyOrigin?: boolean;
    cacheable?: boolean;
    returnsSecret?: boolean;
    signsIn?: boolean;
  }
}

/** An entry of a listener's route table. Its path determines the parameters of a request, its access the principal. */
export interface Route<Path extends string = string, Granted extends Access = Access> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: Path;
  /** Checked before the body is read. */
  access: Granted;
  /** Whether requests for other hosts than the listener's own are served too. */
  anyHost?: boolean;
  /** Whether pages of other origins may read it. */
  anyOrigin?: boolean;
  /** Successful responses set their own cache headers, even on a listener that forbids caching. */
  cacheable?: boolean;
  /** Whether a response has a secret. It is never compressed: its length would reveal the secret (BREACH). */
  returnsSecret?: boolean;
  /** Whether it signs a person in. Its body is a secret, or its response sets a cookie that is one. */
  signsIn?: boolean;
  /** Checks the media type of the body before it is read. */
  acceptsBody?: (request: FastifyRequest) => void | Promise<void>;
  /** A media type that no other route accepts; the body reaches `handle` as bytes. */
  bytes?: { mediaType: string; bytesMax: number };
  /**
   * A method, so that a route table can hold routes of any path and access: `mount` passes what they declare. `reauthorize`
   * repeats the check of the token, for a response that comes long after the request.
   */
  handle(
    request: FastifyRequest & { params: PathParams<Path> },
    reply: FastifyReply,
    principal: PrincipalOf<Granted>,
    reauthorize: () => Promise<void>,
  ): Promise<unknown>;
}

/** A route whose `handle` receives the parameters of its path and the principal that its access guarantees. */
export function route<const Path extends string, const Granted extends Access>(declared: Route<Path, Granted>): Route {
  return declared;
}

export interface MountOptions {
  authenticate: Authenticate;
  /** Accepted where a request has no token. */
  sessions?: Sessions;
  /** Records each use of a valid token, by itself or by a session. */
  tokenUses?: Pick<TokenUses, 'record'>;
  /** Counts the requests of each principal, once that is known (before 403). */
  limits?: Pick<OperatorLimits, 'take'> | undefined;
  cors?: Cors;
  /** A path prefix below which a request without a valid token gets 401, even for unknown paths. Ends with a slash. */
  closed?: string;
}

/** Mounts a route table on a listener. A known path lists its methods for OPTIONS, and refuses any other with 405. */
export function mount(app: FastifyInstance, routes: (Route | NodeRoute)[], options: MountOptions): void {
  for (const route of routes) {
    if ('count' in route) app.nodeRoutes.mount(app, route, options);
    else mountRoute(app, route, options);
  }
  const paths = Map.groupBy(routes, (route) => route.path);
  for (const [path, ofPath] of paths) refuseOtherMethods(app, { path, routes: ofPath }, options);
  if (options.closed) refuseOtherPaths(app, options.closed, options);
}

function mountRoute(app: FastifyInstance, route: Route, options: MountOptions): void {
  const { bytes } = route;
  const ofFramework = routeOptions(route, options);
  if (bytes) void app.register(async (scope) => acceptBytes(scope, bytes).route(ofFramework));
  else app.route(ofFramework);
}

function routeOptions(
  {
    method,
    path,
    access,
    anyHost = false,
    anyOrigin = false,
    cacheable = false,
    returnsSecret = false,
    signsIn = false,
    acceptsBody,
    handle,
  }: Route,
  options: MountOptions,
): RouteOptions {
  const authorize = authorization(options, access);
  // A response that takes long is one request.
  const reauthorize = authorization({ ...options, limits: undefined }, access);
  return {
    method,
    url: path,
    config: { anyHost, anyOrigin, cacheable, returnsSecret, signsIn },
    ...(access !== 'anyone' && { onRequest: authorize }),
    ...(acceptsBody && {
      preParsing: async (request) => {
        requireConnected(request.raw);
        await acceptsBody(request);
      },
    }),
    handler: (request, reply) => handle(request, reply, request.raw.context.principal, () => reauthorize(request)),
  };
}

function refuseOtherMethods(
  app: FastifyInstance,
  { path, routes }: { path: string; routes: (Route | NodeRoute)[] },
  options: MountOptions,
): void {
  const { cors, closed } = options;
  const allowed = methodsOf(routes);
  app.route({
    method: knownMethods.filter((method) => !allowed.includes(method)),
    url: path,
    config: { anyHost: routes.some((route) => 'anyHost' in route && route.anyHost) },
    onRequest: async (request, reply) => {
      if (cors?.isPreflight(request)) return reply.code(204).headers(cors.preflightFields(request, allowed)).send();
      if (closed && path.startsWith(closed)) await requirePrincipal(options, request);
      if (request.method !== 'OPTIONS') throw methodNotAllowed(allowed);
      return reply.code(204).headers(fieldsOf(allowed)).send();
    },
    handler: () => {},
  });
}

function refuseOtherPaths(app: FastifyInstance, closed: string, options: MountOptions): void {
  app.route({
    method: knownMethods,
    url: `${closed}*`,
    onRequest: async (request) => {
      await requirePrincipal(options, request);
      throw pathNotFound();
    },
    handler: () => {},
  });
}

function methodNotAllowed(allowed: string[]): HttpProblem {
  return new HttpProblem('method_not_allowed', `This path supports only ${allowed.join(', ')}.`, fieldsOf(allowed));
}

/** What a path takes (RFC 9110, 10.2.1; RFC 5789, 3.1). */
function fieldsOf(allowed: string[]): Record<string, string> {
  const allow = [...allowed, 'OPTIONS'].join(', ');
  return allowed.includes('PATCH') ? { allow, 'accept-patch': jsonMediaTypes.join(', ') } : { allow };
}

/** Makes a scope of a listener accept another media type. */
function acceptBytes(app: FastifyInstance, { mediaType, bytesMax }: NonNullable<Route['bytes']>): FastifyInstance {
  const unparsed = async (_request: unknown, body: string | Buffer) => body;
  app.addContentTypeParser(mediaType, { parseAs: 'buffer', bodyLimit: bytesMax }, unparsed);
  return app;
}

/** Requires a token with this access. */
function authorization(options: MountOptions, access: Access) {
  return async (request: FastifyRequest) => {
    if (access === 'anyone') return;
    const principal = await requirePrincipal(options, request);
    request.raw.context.principal = principal;
    requireAccess(principal, access);
  };
}

/** A token takes precedence over a session: a program sends it on purpose, while a browser adds the session. */
async function requirePrincipal(
  { authenticate, sessions, tokenUses, limits }: MountOptions,
  request: FastifyRequest,
): Promise<Principal> {
  const isToken = request.headers.authorization !== undefined || sessions?.textOf(request) === undefined;
  const principal = await (isToken ? requireToken(authenticate, request) : sessions.requirePrincipal(request));
  tokenUses?.record(principal);
  if (limits) countRequest(request, limits.take(principal, isToken ? 'token' : 'session'));
  return principal;
}

/** Reports what a request has taken in its response, which is a 429 where nothing was left. */
export function countRequest({ raw }: FastifyRequest, quota: Quota): void {
  raw.context.quota = quota;
  if (quota.problem) throw quota.problem;
}

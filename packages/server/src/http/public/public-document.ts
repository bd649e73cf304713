import Type from 'typebox';
import type { DeveloperApp, PlatformApp } from '../../features/apps/app-schemas.ts';
import { publicOperations } from '../../features/operations.ts';
import type { PublicOperation } from '../../kernel/operation.ts';
import { Problem } from '../../kernel/problem-details.ts';
import { jsonMediaTypes } from '../body/json-body.ts';
import {
  appIdParameter,
  commonHeaders,
  type DocumentedOperation,
  type DocumentFrame,
  type Headers,
  type OpenApiDocument,
  openApiDocument,
  type Parameter,
  problemResponses,
  quotaHeaders,
  type ResponseObject,
  responseHeaders,
} from '../openapi/openapi.ts';

export interface PublicDocumentOptions {
  baseUrl: string;
  devBaseUrl: string;
}

/** The OpenAPI document of the public interface: its two operations and nothing else. */
export function publicDocument(options: PublicDocumentOptions): OpenApiDocument {
  return openApiDocument(frame(options), [describeUpdateApp(), describeGetApp()]);
}

function frame({ baseUrl, devBaseUrl }: PublicDocumentOptions): DocumentFrame {
  return {
    info: {
      title: 'App Registry',
      version: '1.0.0',
      summary: 'Apps that developers publish to a platform and customers install into workspaces.',
      description:
        'Two operations: **Update App**, the developer’s view, and **Get App**, the platform’s view. Errors are problem details (RFC 9457) with a machine-readable `code`, a human-readable `detail` and a `requestId`.',
      contact: { name: 'The operator of this registry', url: `${baseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: baseUrl, description: 'Production' },
      { url: devBaseUrl, description: 'Development' },
    ],
    tags: [
      { name: 'Developer', description: 'For the developer of an app.' },
      { name: 'Platform', description: 'For the platform that apps are installed on.' },
    ],
    securitySchemes: {
      developerToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'An access token of kind `developer`, which can update the apps of one developer.',
      },
      platformToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'An access token of kind `platform`, which can get any app.',
      },
    },
  };
}

interface Described {
  tag: string;
  /** Those beside the id of the app. */
  parameters: Parameter[];
  requestBody?: object;
  responses: Record<number, ResponseObject>;
  /** The headers of a refusal after the request was authenticated. */
  common: Headers;
  /** The headers of a refusal beside those of both operations, by its status. */
  headers: Record<number, Headers>;
}

function describe(
  { id, method, path, summary, description, kind, refusals }: PublicOperation,
  { tag, parameters, requestBody, responses, common, headers }: Described,
): DocumentedOperation {
  return {
    method,
    path,
    operation: {
      operationId: id,
      summary,
      description,
      tags: [tag],
      security: [{ [`${kind}Token`]: [] }],
      parameters: [appIdParameter, ...parameters],
      ...(requestBody && { requestBody }),
      responses: {
        ...responses,
        ...problemResponses(refusals, {
          schema: Problem,
          common,
          headers: {
            401: responseHeaders.authenticate,
            403: responseHeaders.authenticate,
            429: responseHeaders.retryAfter,
            503: responseHeaders.retryAfter,
            ...headers,
          },
        }),
      },
    },
  };
}

function headerParameter(name: string, description: string, schema: object): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string', ...schema } };
}

function describeUpdateApp(): DocumentedOperation {
  const { updateApp } = publicOperations;
  const quota = quotaHeaders('updates');
  const examples = {
    rename: { value: { name: 'Invoice Sync' } },
    listing: { value: { listingInfo: { backgroundColor: '#0b5fff', longDescription: null } } },
    nothing: { summary: 'Reads the app', value: {} },
  };
  return describe(updateApp, {
    tag: 'Developer',
    parameters: [
      headerParameter('If-Match', 'Updates the app only if it still has this `ETag`; otherwise responds with 412.', {
        examples: ['"7.5f0c1a9e.Vb2xq0m9K3Ty"'],
      }),
      headerParameter(
        'If-None-Match',
        'Updates the app only if it does not have this `ETag`; otherwise responds with 412.',
        { examples: ['"6.5f0c1a9e.pT0a8sYw2LrE"'] },
      ),
      headerParameter(
        'Idempotency-Key',
        'A unique key for this update: 1 to 255 visible ASCII characters, with or without quotes around them. For 24 hours, a retry with the same key receives the first response.',
        { minLength: 1, examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'] },
      ),
    ],
    requestBody: {
      required: true,
      content: Object.fromEntries(jsonMediaTypes.map((type) => [type, { schema: updateApp.body, examples }])),
    },
    responses: {
      200: {
        description: 'The app after the update.',
        headers: { ...commonHeaders, ...responseHeaders.etag, ...responseHeaders.replayed, ...quota },
        content: { 'application/json': { schema: updateApp.response, example: developerApp } },
      },
    },
    common: { ...quota, ...responseHeaders.replayed },
    headers: { 412: responseHeaders.etag, 415: { ...responseHeaders.acceptPatch, ...responseHeaders.acceptEncoding } },
  });
}

const viewTagExample = { examples: ['"pV5cCJ0Yw1sT8mQ2rX4kLA"'] };

const tagHeader: Headers = {
  ETag: {
    description: 'Identifies this response, in its content coding. Send it as `If-None-Match` with the next request.',
    required: true,
    schema: Type.String(viewTagExample),
  },
};

const cacheHeaders: Headers = {
  ...tagHeader,
  'Cache-Control': {
    description: 'A client may cache the response, and must revalidate it before each use.',
    required: true,
    schema: Type.String({ examples: ['private, no-cache'] }),
  },
  Vary: {
    description: 'The request header fields that the response depends on.',
    required: true,
    schema: Type.String({ examples: ['Accept-Encoding'] }),
  },
};

const codingHeader: Headers = {
  'Content-Encoding': {
    description: 'Present when the body is compressed with gzip.',
    schema: Type.Unsafe<'gzip'>({ type: 'string', enum: ['gzip'], examples: ['gzip'] }),
  },
};

function describeGetApp(): DocumentedOperation {
  const { getApp } = publicOperations;
  const quota = quotaHeaders('reads');
  return describe(getApp, {
    tag: 'Platform',
    parameters: [
      headerParameter('If-None-Match', 'Responds with 304 if the app still has this `ETag`.', viewTagExample),
      headerParameter(
        'If-Match',
        'Returns the app only if it still has this `ETag`; otherwise responds with 412.',
        viewTagExample,
      ),
      headerParameter(
        'Accept-Encoding',
        'The content codings that the client accepts. The registry uses `gzip` or none.',
        { examples: ['gzip'] },
      ),
    ],
    responses: {
      200: {
        description: 'The app.',
        headers: { ...commonHeaders, ...cacheHeaders, ...codingHeader, ...quota },
        content: { 'application/json': { schema: getApp.response, example: platformApp } },
      },
      304: {
        description: 'The app is unchanged since the `ETag` in `If-None-Match`.',
        headers: { ...commonHeaders, ...cacheHeaders, ...quota },
      },
    },
    common: quota,
    headers: { 412: tagHeader },
  });
}

const appOfExamples = {
  id: 'app_01jq3v9y6ae0xv5m6b7k8c9d0e',
  name: 'Invoice Sync',
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: '2026-03-04T16:05:12.480Z',
  reviewStatus: 'APPROVED',
} as const;
const logoUrl = 'https://apps.example.com/logos/logo_01jq3va2c8f0ntb5m6b7k8c9d0';

const developerApp: DeveloperApp = {
  ...appOfExamples,
  installationCount: 3,
  listingInfo: { backgroundColor: '#0b5fff', shortDescription: 'Keeps invoices and ledgers in step.' },
  oauthInfo: {
    loginUrl: 'https://invoice-sync.example/login',
    callbackUrl: 'https://invoice-sync.example/oauth/callback',
  },
  logoUrl,
};

const platformApp: PlatformApp = {
  ...appOfExamples,
  developer: {
    userId: 'user_01jq3v8nbtf4mrk6d2m3wz5x7c',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
  },
  installations: [
    {
      id: 'installation_01jq3w3k1hf5tr8z0v6n2m9c4d',
      appId: 'app_01jq3v9y6ae0xv5m6b7k8c9d0e',
      workspaceId: 'workspace_01jq3w2r5sfh8tn4m6b7k8c9d0',
      userId: 'user_01jq3w2x9ge6ab5m6b7k8c9d0e',
      createdAt: '2026-03-02T11:00:00.000Z',
      enabled: true,
    },
  ],
  logoUrl,
};

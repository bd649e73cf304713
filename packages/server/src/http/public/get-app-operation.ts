import Type from 'typebox';
import type { PlatformApp } from '../../features/apps/app-schemas.ts';
import { type PublicOperationId, publicOperations } from '../../features/apps/public-operations.ts';
import { Problem } from '../../kernel/problem-details.ts';
import {
  appIdParameter,
  authenticateHeader,
  commonHeaders,
  type DocumentedOperation,
  problemResponses,
  quotaHeaders,
  type ResponseObject,
  retryAfterHeader,
} from '../openapi/openapi.ts';

const tagHeader: NonNullable<ResponseObject['headers']> = {
  ETag: {
    description: 'Identifies this response, in its content coding. Send it as `If-None-Match` with the next request.',
    required: true,
    schema: Type.String({ examples: ['"pV5cCJ0Yw1sT8mQ2rX4kLA"'] }),
  },
};

const cacheHeaders: NonNullable<ResponseObject['headers']> = {
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

const codingHeader: NonNullable<ResponseObject['headers']> = {
  'Content-Encoding': {
    description: 'Present when the body is compressed with gzip.',
    schema: Type.Unsafe<'gzip'>({ type: 'string', enum: ['gzip'], examples: ['gzip'] }),
  },
};

const quota = quotaHeaders('reads');

const { method, path, summary, description, response, refusals } = publicOperations.getApp;

/** Get App as the OpenAPI document describes it. */
export const getAppOperation: DocumentedOperation = {
  method,
  path,
  operation: {
    operationId: 'getApp' satisfies PublicOperationId,
    summary,
    description,
    tags: ['Platform'],
    security: [{ platformToken: [] }],
    parameters: [
      appIdParameter,
      {
        name: 'If-None-Match',
        in: 'header',
        required: false,
        description: 'Responds with 304 if the app still has this `ETag`.',
        schema: { type: 'string', examples: ['"pV5cCJ0Yw1sT8mQ2rX4kLA"'] },
      },
      {
        name: 'If-Match',
        in: 'header',
        required: false,
        description: 'Returns the app only if it still has this `ETag`; otherwise responds with 412.',
        schema: { type: 'string', examples: ['"pV5cCJ0Yw1sT8mQ2rX4kLA"'] },
      },
      {
        name: 'Accept-Encoding',
        in: 'header',
        required: false,
        description: 'The content codings that the client accepts. The registry uses `gzip` or none.',
        schema: { type: 'string', examples: ['gzip'] },
      },
    ],
    responses: {
      200: {
        description: 'The app.',
        headers: { ...commonHeaders, ...cacheHeaders, ...codingHeader, ...quota },
        content: { 'application/json': { schema: response, example: exampleApp() } },
      },
      304: {
        description: 'The app is unchanged since the `ETag` in `If-None-Match`.',
        headers: { ...commonHeaders, ...cacheHeaders, ...quota },
      },
      ...problemResponses(refusals, {
        schema: Problem,
        common: quota,
        headers: {
          401: authenticateHeader,
          403: authenticateHeader,
          412: tagHeader,
          429: retryAfterHeader,
          503: retryAfterHeader,
        },
      }),
    },
  },
};

function exampleApp(): PlatformApp {
  return {
    id: 'app_01jq3v9y6ae0xv5m6b7k8c9d0e',
    name: 'Invoice Sync',
    createdAt: '2026-03-01T09:30:00.000Z',
    updatedAt: '2026-03-04T16:05:12.480Z',
    reviewStatus: 'APPROVED',
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
    logoUrl: 'https://apps.example.com/logos/logo_01jq3va2c8f0ntb5m6b7k8c9d0',
  };
}

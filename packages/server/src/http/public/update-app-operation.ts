import type { DeveloperApp } from '../../features/apps/app-schemas.ts';
import { type PublicOperationId, publicOperations } from '../../features/apps/public-operations.ts';
import { Problem } from '../../kernel/problem-details.ts';
import { jsonMediaTypes } from '../body/json-body.ts';
import {
  acceptEncodingHeader,
  acceptPatchHeader,
  appIdParameter,
  authenticateHeader,
  commonHeaders,
  type DocumentedOperation,
  etagHeader,
  problemResponses,
  quotaHeaders,
  replayedHeader,
  retryAfterHeader,
} from '../openapi/openapi.ts';

const quota = quotaHeaders('updates');

const { method, path, summary, description, body, response, refusals } = publicOperations.updateApp;

/** Update App as the OpenAPI document describes it. */
export const updateAppOperation: DocumentedOperation = {
  method,
  path,
  operation: {
    operationId: 'updateApp' satisfies PublicOperationId,
    summary,
    description,
    tags: ['Developer'],
    security: [{ developerToken: [] }],
    parameters: [
      appIdParameter,
      {
        name: 'If-Match',
        in: 'header',
        required: false,
        description: 'Updates the app only if it still has this `ETag`; otherwise responds with 412.',
        schema: { type: 'string', examples: ['"7.5f0c1a9e.Vb2xq0m9K3Ty"'] },
      },
      {
        name: 'If-None-Match',
        in: 'header',
        required: false,
        description: 'Updates the app only if it does not have this `ETag`; otherwise responds with 412.',
        schema: { type: 'string', examples: ['"6.5f0c1a9e.pT0a8sYw2LrE"'] },
      },
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'A unique key for this update: 1 to 255 visible ASCII characters, with or without quotes around them. For 24 hours, a retry with the same key receives the first response.',
        schema: { type: 'string', minLength: 1, examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'] },
      },
    ],
    requestBody: {
      required: true,
      content: Object.fromEntries(
        jsonMediaTypes.map((type) => [
          type,
          {
            schema: body,
            examples: {
              rename: { value: { name: 'Invoice Sync' } },
              listing: { value: { listingInfo: { backgroundColor: '#0b5fff', longDescription: null } } },
              nothing: { summary: 'Reads the app', value: {} },
            },
          },
        ]),
      ),
    },
    responses: {
      200: {
        description: 'The app after the update.',
        headers: { ...commonHeaders, ...etagHeader, ...replayedHeader, ...quota },
        content: { 'application/json': { schema: response, example: exampleApp() } },
      },
      ...problemResponses(refusals, {
        schema: Problem,
        common: { ...quota, ...replayedHeader },
        headers: {
          401: authenticateHeader,
          403: authenticateHeader,
          412: etagHeader,
          415: { ...acceptPatchHeader, ...acceptEncodingHeader },
          429: retryAfterHeader,
          503: retryAfterHeader,
        },
      }),
    },
  },
};

function exampleApp(): DeveloperApp {
  return {
    id: 'app_01jq3v9y6ae0xv5m6b7k8c9d0e',
    name: 'Invoice Sync',
    createdAt: '2026-03-01T09:30:00.000Z',
    updatedAt: '2026-03-04T16:05:12.480Z',
    reviewStatus: 'APPROVED',
    installationCount: 3,
    listingInfo: { backgroundColor: '#0b5fff', shortDescription: 'Keeps invoices and ledgers in step.' },
    oauthInfo: {
      loginUrl: 'https://invoice-sync.example/login',
      callbackUrl: 'https://invoice-sync.example/oauth/callback',
    },
    logoUrl: 'https://apps.example.com/logos/logo_01jq3va2c8f0ntb5m6b7k8c9d0',
  };
}

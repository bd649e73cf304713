import type { PublicOperation } from '../../kernel/operation-declaration.ts';
import { AppUpdate, DeveloperApp, PlatformApp } from './app-schemas.ts';

/** The two operations of the public interface. */
export const publicOperations = {
  updateApp: {
    method: 'PATCH',
    path: '/developer/apps/v1/:id',
    summary: 'Update App',
    description:
      'Updates the fields in the body and leaves the others unchanged; null clears an optional field. `{}` changes nothing and returns the app. If any value is invalid, nothing changes and the response lists every validation error.',
    kind: 'developer',
    body: AppUpdate,
    ifMatch: 'optional',
    response: DeveloperApp,
    refusals: [
      'malformed_request',
      'invalid_json',
      'token_missing',
      'token_invalid',
      'insufficient_scope',
      'https_required',
      'developer_suspended',
      'app_not_found',
      'request_timeout',
      'app_under_review',
      'name_taken',
      'request_in_progress',
      'precondition_failed',
      'body_too_large',
      'unsupported_media_type',
      'expectation_failed',
      'invalid_content',
      'idempotency_key_reused',
      'too_many_requests',
      'headers_too_large',
      'internal_error',
      'not_implemented',
      'unavailable',
    ],
  },
  getApp: {
    method: 'GET',
    path: '/platform/apps/v1/:id',
    summary: 'Get App',
    description:
      'Returns the app, its developer and all its installations from one snapshot, which includes every change acknowledged before the request. A long list is sent in chunks while it is read. If that fails, or the client stops reading for too long, the connection is reset. Discard a truncated response; a response that ends normally is complete.',
    kind: 'platform',
    response: PlatformApp,
    refusals: [
      'malformed_request',
      'token_missing',
      'token_invalid',
      'insufficient_scope',
      'https_required',
      'app_not_found',
      'request_timeout',
      'precondition_failed',
      'expectation_failed',
      'too_many_requests',
      'headers_too_large',
      'internal_error',
      'not_implemented',
      'unavailable',
    ],
  },
} as const satisfies Record<string, PublicOperation>;

export type PublicOperationId = keyof typeof publicOperations;

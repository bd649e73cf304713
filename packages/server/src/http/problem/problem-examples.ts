import type { ProblemCode, ValidationError } from '../../kernel/problem-details.ts';
import { type ProblemDocs, problemBody } from './problem.ts';

/** A problem with this code, for the examples of an OpenAPI document; with a status, as the public interface reports it. */
export function exampleProblem(docs: ProblemDocs, code: ProblemCode, status?: number): object {
  return problemBody(docs, {
    code,
    status,
    detail: (status === undefined ? undefined : interfaceDetails[code]) ?? details[code],
    requestId: '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11',
    errors: code === 'invalid_content' ? validationErrors : undefined,
  });
}

const details: Record<ProblemCode, string> = {
  malformed_request: 'The path is malformed. Check its percent-encoding.',
  invalid_json: 'The body is not valid JSON. Correct it.',
  token_missing: 'Send an access token: "Authorization: Bearer <ACCESS_TOKEN>".',
  token_invalid:
    'The access token is malformed, unknown, expired or revoked. Ask the operator of the registry for a new one.',
  insufficient_scope: 'This path requires a token with the scope "review"; this token has "read".',
  https_required:
    'The access token or session was sent unencrypted over a network. Use https, and have the token replaced.',
  origin_not_allowed: 'The request came from a page of another origin; only pages of this listener are allowed.',
  sign_in_refused: 'The identity provider rejected the sign-in: access_denied. Sign in again.',
  path_not_found: 'Nothing is served at this path. Check the URL.',
  app_not_found: 'No app with this id was found. Check the id.',
  developer_not_found:
    'No developer has the user id user_01jq3v8nbtf4mrk6d2m3wz5x7c. Create the developer first, or check the id.',
  installation_not_found: 'No installation has the id installation_01jq3w3k1hf5tr8z0v6n2m9c4d. Check the id.',
  logo_not_found: 'No logo has this id. Check the id.',
  token_not_found: 'No token has the id token_01jq3w4m2je6vs9a1w7p3n0d5e. Check the id.',
  webhook_not_found: 'No webhook has the id webhook_01jq3w5n3kf7wt0b2x8q4p1e6f. Check the id.',
  delivery_not_found:
    'No delivery has the id delivery_01jq3w6p4me8xv1c3y9r5q2f7g. It may have been pruned. Check the id.',
  protected_name_not_found: 'No protected name or host has the id protected_01jq3w5n3kf7wt0b2x8q4p1e6f. Check the id.',
  note_not_found: 'The app has no note with the id note_01jq3w6p4me8xv1c3y9r5q2f7g. Check the id.',
  reason_template_not_found: 'No reason template has the id template_01jq3w6p4me8xv1c3y9r5q2f7g. Check the id.',
  revision_not_found: 'The app has no revision 9. List its revisions, and choose one of them.',
  revision_archived:
    'Revision 2 is in events up to 2026-03-01T09:30:00.000Z that are archived in files. Restore archive 3, with "app-registry event restore FILE", then try again.',
  method_not_allowed: 'This path supports only GET, HEAD, POST.',
  request_timeout: 'The request did not arrive in time. Retry on a new connection.',
  app_under_review:
    'The app awaits review and cannot change until a decision. Wait for the decision, or have the submission withdrawn.',
  name_taken: 'Another app has this name. Choose a different one.',
  request_in_progress:
    'The first request with this Idempotency-Key is still in progress. Retry in a moment to get its response.',
  revision_mismatch: 'The app is now at revision 8, which is not the reviewed one. Review the current revision.',
  review_status_conflict: 'The step "approve" is not allowed for an app that is DRAFT. Allowed now: submit.',
  already_exists: 'A developer with the user id user_01jq3v8nbtf4mrk6d2m3wz5x7c already exists.',
  app_claimed:
    'Another reviewer, "Grace, reviewer" (token_01jq3w4m2je6vs9a1w7p3n0d5e), claimed the app at 2026-03-01T09:30:00.000Z, until 2026-03-01T09:45:00.000Z. Review another app, wait, or take this one over with `takeOver`.',
  app_not_approved: 'The app is DRAFT. Until it is APPROVED, only its own developer can install and enable it.',
  developer_suspended:
    'The developer of the app, user_01jq3v8nbtf4mrk6d2m3wz5x7c, is suspended, so the app cannot be submitted, approved, installed or enabled. End the suspension first, or transfer the app to another developer.',
  names_shared:
    'Several apps share a name: "ledger", "shift planner". Names cannot be unique until these apps are renamed.',
  changes_undecided:
    'One approved app has changes that await a decision: app_01jq3v9y6ae0xv5m6b7k8c9d0e ("Invoice Sync"). Set what happens to these changes with `existing`: "approve" approves them as they are now; "hold" shows the approved content until a decision.',
  logo_in_use:
    'The logo is used by app_01jq3v9y6ae0xv5m6b7k8c9d0e. Give these apps another logo, and have the change approved where the logo is approved; a deleted app uses its logo until it is purged. To stop showing the image at once, block the logo.',
  app_installed:
    '3 workspaces have installed the app. Delete its installations first, or force the deletion to delete them too.',
  token_created:
    'The first request with this Idempotency-Key created token_01jq3w4m2je6vs9a1w7p3n0d5e and showed its text, which is not stored. If it is lost, revoke that token and create another one with a new key.',
  token_ended: 'The token was revoked, so it cannot be rotated. Create a new token instead.',
  webhook_created:
    'The first request with this Idempotency-Key created webhook_01jq3w5n3kf7wt0b2x8q4p1e6f and showed its secret, which is not shown again. If it is lost, rotate the secret of that webhook.',
  secret_replaced:
    'The secret that the first request with this Idempotency-Key gave webhook_01jq3w5n3kf7wt0b2x8q4p1e6f has since been replaced by another rotation. Get the current secret from the operator who rotated it, or rotate again with a new key.',
  webhook_disabled: 'The webhook is disabled and receives no events. Enable it first.',
  cursor_expired:
    'The registry was restored after this cursor was returned. Read again from an earlier time, such as since=2026-03-01T09:30:00Z, or from the start, and skip the events whose ids you have already processed.',
  precondition_failed: 'The app changed in the meantime. Read the current version, and apply the change to that.',
  body_too_large: 'The request body is larger than the registry accepts. Shorten it.',
  unsupported_media_type: 'Send the body as application/json or application/merge-patch+json.',
  expectation_failed: 'Only "Expect: 100-continue" is supported. Remove any other expectation.',
  host_not_served:
    'The Host header does not match this listener. Use the address in OPERATOR_BASE_URL, or change that setting.',
  invalid_content: '2 values cannot be accepted. Nothing was changed.',
  idempotency_key_reused: 'This Idempotency-Key was used for a different request. Use a new key for each request.',
  too_many_requests: 'This token may make 120 updates a minute. Retry in 42 s.',
  headers_too_large: 'The request header is larger than the registry accepts. Shorten it.',
  internal_error: 'An internal error occurred. Include the request id when you report it.',
  not_implemented:
    'The only supported Transfer-Encoding is "chunked". Send the body in chunks, or with a Content-Length.',
  unavailable: 'The database is unavailable. Nothing was changed. Retry in a moment.',
};

/** What the public interface says otherwise. */
const interfaceDetails: Partial<Record<ProblemCode, string>> = {
  insufficient_scope: 'This path requires a token of kind "platform"; this token is of kind "developer".',
  developer_suspended:
    'The developer of this token is suspended, so the registry refuses the request. Contact the operator of the registry; the token works again once the suspension ends.',
};

const validationErrors: ValidationError[] = [
  { pointer: '/name', code: 'null_not_allowed', detail: 'The value is required and cannot be removed.' },
  {
    pointer: '/listingInfo/backgroundColor',
    code: 'invalid_format',
    detail: 'The value must be a colour in the form #rgb or #rrggbb.',
  },
];

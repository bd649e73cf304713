import Type from 'typebox';

/** Why one field of an update was refused. Later releases may add codes. */
export const interfaceValidationErrorCodes = [
  'null_not_allowed',
  'wrong_type',
  'too_short',
  'too_long',
  'invalid_format',
  'unknown_field',
  'read_only_field',
  'unusable_logo',
] as const;

/** Those, and the ones that only operators receive. */
export const validationErrorCodes = [
  ...interfaceValidationErrorCodes,
  'required',
  'not_allowed',
  // In an import: the object of the line exists already, or refers to one that does not.
  'already_exists',
  'not_found',
] as const;
export type ValidationErrorCode = (typeof validationErrorCodes)[number];

const validationErrorOf = (codes: readonly ValidationErrorCode[]) =>
  Type.Object(
    {
      pointer: Type.String({
        description: 'A JSON Pointer (RFC 6901) to the field; empty for the body itself.',
        examples: ['/listingInfo/backgroundColor'],
      }),
      code: openString(codes, { description: 'A machine-readable code. Later releases may add codes.' }),
      detail: Type.String({ examples: ['The value is required and cannot be removed.'] }),
    },
    { $id: 'ValidationError', description: 'One validation error of a request body.' },
  );
export const ValidationError = validationErrorOf(interfaceValidationErrorCodes);
export type ValidationError = Type.Static<typeof ValidationError>;

const { pointer, ...codeAndDetail } = validationErrorOf(validationErrorCodes).properties;

/** The same for operators, whose operations take queries too. */
const OperatorValidationError = Type.Object(
  {
    pointer: Type.Optional(pointer),
    parameter: Type.Optional(
      Type.String({ description: 'The name of a parameter of the query.', examples: ['cursor'] }),
    ),
    ...codeAndDetail,
  },
  {
    $id: 'ValidationError',
    description: 'One validation error: of a field of the body, with `pointer`, or of the query, with `parameter`.',
  },
);
export type OperatorValidationError = Type.Static<typeof OperatorValidationError>;

/**
 * A string of which this release sends only these values and a later one may send more. An `enum` alone
 * would mean that there are no others.
 */
export function openString<Value extends string>(values: readonly Value[], { description }: { description?: string }) {
  return Type.Unsafe<Value>({
    anyOf: [{ type: 'string', enum: values }, { type: 'string' }],
    examples: values.slice(0, 1),
    ...(description !== undefined && { description }),
  });
}

/**
 * Every problem that the two public operations report, with its title. Each code has its anchor in the
 * published reference.
 */
export const interfaceProblemTitles = {
  malformed_request: 'Bad Request',
  invalid_json: 'Bad Request',
  token_missing: 'Unauthorized',
  token_invalid: 'Unauthorized',
  insufficient_scope: 'Forbidden',
  https_required: 'Forbidden',
  developer_suspended: 'Forbidden',
  path_not_found: 'Not Found Error',
  app_not_found: 'Not Found Error',
  logo_not_found: 'Not Found Error',
  method_not_allowed: 'Method Not Allowed',
  request_timeout: 'Request Timeout',
  app_under_review: 'Conflict Error',
  name_taken: 'Conflict Error',
  request_in_progress: 'Conflict Error',
  precondition_failed: 'Precondition Failed',
  body_too_large: 'Content Too Large',
  unsupported_media_type: 'Unsupported Media Type',
  expectation_failed: 'Expectation Failed',
  invalid_content: 'Unprocessable Content Error',
  idempotency_key_reused: 'Unprocessable Content Error',
  too_many_requests: 'Too Many Requests',
  headers_too_large: 'Request Header Fields Too Large',
  internal_error: 'Internal Server Error',
  not_implemented: 'Not Implemented',
  unavailable: 'Service Unavailable',
} as const;

/** Those, and the ones that only operators receive. */
export const problemTitles = {
  ...interfaceProblemTitles,
  developer_not_found: 'Not Found Error',
  installation_not_found: 'Not Found Error',
  token_not_found: 'Not Found Error',
  webhook_not_found: 'Not Found Error',
  delivery_not_found: 'Not Found Error',
  protected_name_not_found: 'Not Found Error',
  note_not_found: 'Not Found Error',
  reason_template_not_found: 'Not Found Error',
  revision_not_found: 'Not Found Error',
  revision_archived: 'Not Found Error',
  review_status_conflict: 'Conflict Error',
  revision_mismatch: 'Conflict Error',
  app_claimed: 'Conflict Error',
  app_not_approved: 'Conflict Error',
  // With 409; the holder of a token gets 403.
  developer_suspended: 'Conflict Error',
  app_installed: 'Conflict Error',
  logo_in_use: 'Conflict Error',
  names_shared: 'Conflict Error',
  changes_undecided: 'Conflict Error',
  already_exists: 'Conflict Error',
  token_created: 'Conflict Error',
  token_ended: 'Conflict Error',
  webhook_created: 'Conflict Error',
  secret_replaced: 'Conflict Error',
  webhook_disabled: 'Conflict Error',
  cursor_expired: 'Gone',
  host_not_served: 'Misdirected Request',
  origin_not_allowed: 'Forbidden',
  sign_in_refused: 'Forbidden',
} as const;
export type ProblemCode = keyof typeof problemTitles;

const problemOf = <Error extends Type.TSchema>(codes: readonly ProblemCode[], validationError: Error) =>
  Type.Object(
    {
      type: Type.String({ format: 'uri', examples: ['https://apps.example.com/docs#name_taken'] }),
      title: Type.String({ examples: ['Conflict Error'] }),
      status: Type.Integer({ minimum: 400, maximum: 599, examples: [409] }),
      detail: Type.String({
        description: 'A human-readable explanation: what is wrong and what to do.',
        examples: ['Another app has this name. Choose a different one.'],
      }),
      instance: Type.String({
        format: 'uri',
        description: 'The request id as a URN.',
        examples: ['urn:uuid:01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11'],
      }),
      code: openString(codes, {
        description: 'A machine-readable code. Later releases may add codes: handle an unknown code by its `status`.',
      }),
      requestId: Type.String({
        description: 'Also in the header `X-Request-Id`. Quote it in support requests.',
        examples: ['01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11'],
      }),
      errors: Type.Optional(
        Type.Array(validationError, {
          maxItems: 100,
          description: 'Every validation error of the request, with status 422.',
        }),
      ),
    },
    { $id: 'Problem', description: 'Problem details (RFC 9457).' },
  );
/** RFC 9457 problem details, with the fields of this registry. */
export const Problem = problemOf(codesOf(interfaceProblemTitles), ValidationError);
export type Problem = Type.Static<typeof Problem>;

/** The same with the codes that only operators receive. */
export const OperatorProblem = problemOf(codesOf(problemTitles), OperatorValidationError);
export type OperatorProblem = Type.Static<typeof OperatorProblem>;

function codesOf(titles: Partial<Record<ProblemCode, string>>): ProblemCode[] {
  return Object.keys(titles) as ProblemCode[];
}

import Type from 'typebox';
import { formMediaType } from '../body/form-body.ts';
import { jsonMediaTypes } from '../body/json-body.ts';
import type { ResponseObject } from './openapi.ts';

type Headers = NonNullable<ResponseObject['headers']>;

export const appIdParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The app ID.',
  schema: Type.String({ examples: ['app_01jq3v9y6ae0xv5m6b7k8c9d0e'] }),
};

export const authenticateHeader: Headers = {
  'WWW-Authenticate': {
    description: 'RFC 6750.',
    required: true,
    schema: Type.String({ examples: ['Bearer realm="app-registry", error="invalid_token"'] }),
  },
};

export const retryAfterHeader: Headers = {
  'Retry-After': {
    description: 'Seconds after which to retry the request.',
    required: true,
    schema: Type.Integer({ minimum: 0, examples: [1] }),
  },
};

export const quotaHeaders: Headers = {
  RateLimit: {
    description: 'What is left of the quota of this token (IETF RateLimit fields). Absent without a limit.',
    schema: Type.String({ examples: ['"updates";r=117;t=42'] }),
  },
  'RateLimit-Policy': {
    description: 'The quota of this token. Absent without a limit.',
    schema: Type.String({ examples: ['"updates";q=120;w=60'] }),
  },
};

export const etagHeader: Headers = {
  ETag: {
    description:
      'Identifies the revision of the content that the developer edits. Send it as `If-Match` with the next update.',
    required: true,
    schema: Type.String({ examples: ['"7.0195f2c4"'] }),
  },
};

export const replayedHeader: Headers = {
  'Idempotency-Replayed': {
    description: 'Present when this repeats the first response to an `Idempotency-Key`.',
    schema: Type.Unsafe<'true'>({ type: 'string', enum: ['true'], examples: ['true'] }),
  },
};

export const acceptPatchHeader: Headers = {
  'Accept-Patch': {
    description: 'The media types that an update may have.',
    required: true,
    schema: Type.String({ examples: [jsonMediaTypes.join(', ')] }),
  },
};

export const acceptHeader: Headers = {
  Accept: {
    description: 'The media type that the body may have.',
    required: true,
    schema: Type.String({ examples: [formMediaType] }),
  },
};

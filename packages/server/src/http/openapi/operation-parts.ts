import Type from 'typebox';
import { RevisionTag } from '../../kernel/text.ts';
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

/** Where only some refusals have it. */
export const scopeHeader: Headers = {
  'WWW-Authenticate': {
    description: 'RFC 6750. Present when the token lacks a scope.',
    schema: Type.String({ examples: ['Bearer realm="app-registry", error="insufficient_scope"'] }),
  },
};

export const retryAfterHeader: Headers = {
  'Retry-After': {
    description: 'The number of seconds to wait before a retry.',
    required: true,
    schema: Type.Integer({ minimum: 0, examples: [1] }),
  },
};

/** Of any response to a request that counts against a quota. */
export function quotaHeaders(name: 'updates' | 'reads'): Headers {
  return {
    RateLimit: {
      description: 'The remaining quota of this token (IETF RateLimit fields). Absent if there is no limit.',
      schema: Type.String({ examples: [`"${name}";r=117;t=42`] }),
    },
    'RateLimit-Policy': {
      description: 'The quota of this token. Absent if there is no limit.',
      schema: Type.String({ examples: [`"${name}";q=120;w=60`] }),
    },
  };
}

export const etagHeader: Headers = {
  ETag: {
    description:
      'Identifies the revision of the content that the developer edits. Send it as `If-Match` with the next update.',
    required: true,
    schema: RevisionTag,
  },
};

export const replayedHeader: Headers = {
  'Idempotency-Replayed': {
    description: 'Present when this is a replay of the first response to an `Idempotency-Key`.',
    schema: Type.Unsafe<'true'>({ type: 'string', enum: ['true'], examples: ['true'] }),
  },
};

export const acceptPatchHeader: Headers = {
  'Accept-Patch': {
    description: 'The media types that an update accepts.',
    required: true,
    schema: Type.String({ examples: [jsonMediaTypes.join(', ')] }),
  },
};

export const acceptEncodingHeader: Headers = {
  'Accept-Encoding': {
    description: 'Present when the body had a content coding, which is not accepted.',
    schema: Type.String({ examples: ['identity'] }),
  },
};

export const acceptHeader: Headers = {
  Accept: {
    description: 'The media type that the body must have.',
    required: true,
    schema: Type.String({ examples: [formMediaType] }),
  },
};

export const unbufferedHeader: ResponseObject['headers'] = {
  'X-Accel-Buffering': {
    description: 'Disables buffering in nginx, so that each event arrives immediately.',
    required: true,
    schema: Type.String({ examples: ['no'] }),
  },
};

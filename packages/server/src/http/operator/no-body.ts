import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { requireValid } from '../../kernel/failure.ts';
import { requireJsonBody } from '../body/json-body.ts';

/** An object without a field. */
export const NoFields = Type.Object({}, { additionalProperties: false });

/** Accepts no body, or one of JSON. Many clients send the media type of a body without the body. */
export function acceptJsonBody(request: FastifyRequest): void {
  const { headers } = request;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) delete headers['content-type'];
  requireJsonBody(request);
}

/** Refuses the fields of a body that an operation would otherwise ignore. */
export function refuseFields(body: unknown): void {
  if (body !== undefined) requireValid(NoFields, body);
}

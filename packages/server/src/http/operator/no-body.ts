import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { check } from '../../contract/check.ts';
import { throwIfInvalid } from '../../registry/failure.ts';
import { requireJsonBody } from '../body/json-body.ts';

/** An object without a field. */
export const NoFields = Type.Object({}, { additionalProperties: false });

/** Takes nothing, or `{}`. Many clients name a media type for the body that they do not send. */
export function requireNoBody(request: FastifyRequest): void {
  const { headers } = request;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) delete headers['content-type'];
  requireJsonBody(request);
}

/** What an operation would not heed is told, and not ignored. */
export function refuseFields(body: unknown): void {
  if (body !== undefined) throwIfInvalid(check(NoFields, body));
}

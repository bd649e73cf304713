import { isIP } from 'node:net';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * Validation errors of a webhook's address beyond its syntax: it must start with `https://` and must not visibly be
 * outside the public internet. What a name resolves to is checked at each delivery.
 */
export function addressErrors({ webhookAllowPrivate }: Registry, url: string): ValidationError[] {
  if (webhookAllowPrivate) return [];
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const errors: ValidationError[] = [];
  if (protocol !== 'https:') errors.push(notAllowed('The value must start with https://.'));
  if (!isReachable(host)) errors.push(notAllowed(`The host must be on the public internet; ${host} is not.`));
  return errors;
}

/** RFC 6761: names below `localhost` are this machine. */
function isReachable(host: string): boolean {
  return isIP(host) !== 0 ? isPublicAddress(host) : !/(^|\.)localhost\.?$/.test(host);
}

function notAllowed(reason: string): ValidationError {
  return { pointer: '/url', code: 'not_allowed', detail: `${reason} To deliver there, set WEBHOOK_ALLOW_PRIVATE=1.` };
}

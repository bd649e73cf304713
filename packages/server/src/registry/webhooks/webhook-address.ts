import { isIP } from 'node:net';
import type { ValidationError } from '../../contract/problem.ts';
import type { Registry } from '../registry.ts';
import { isPublicAddress } from './public-address.ts';

/**
 * What is wrong with the address of a webhook, beside its form: it must begin with `https:`, and what can be seen
 * to lead elsewhere than to the public internet is told here. Where a name leads is judged at each delivery.
 */
export function addressFaults({ webhookAllowPrivate }: Registry, url: string): ValidationError[] {
  if (webhookAllowPrivate) return [];
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const faults: ValidationError[] = [];
  if (protocol !== 'https:') faults.push(notAllowed('The value must begin with https://.'));
  if (!isReachable(host)) faults.push(notAllowed(`The value must lead to the public internet; ${host} does not.`));
  return faults;
}

/** RFC 6761: names below `localhost` are of this very machine. */
function isReachable(host: string): boolean {
  return isIP(host) !== 0 ? isPublicAddress(host) : !/(^|\.)localhost\.?$/.test(host);
}

function notAllowed(reason: string): ValidationError {
  return { pointer: '/url', code: 'not_allowed', detail: `${reason} To deliver there set WEBHOOK_ALLOW_PRIVATE=1.` };
}

import type { AppRow } from '../../../../storage/tables.ts';
import { readableApprovedContent } from '../../content-snapshot.ts';
import { approvedInEffect } from '../../effective-content.ts';
import { hostOf } from './hosts.ts';
import { comparedFields } from './identities.ts';
import { mixedScripts } from './mixed-scripts.ts';
import type { ReviewWarning } from './review-warning.ts';

/** The warnings that follow from an app alone. */
export function ownWarnings(app: AppRow): ReviewWarning[] {
  const approved = readableApprovedContent(app) && approvedInEffect(app);
  return comparedFields.flatMap(({ column, comparedAs, path: field }) => {
    const text = app[column];
    if (text === null) return [];
    if (comparedAs === 'name') return nameWarnings(text, field);
    return hostWarnings(text, { field, approved: approved && { url: approved[column] } });
  });
}

function nameWarnings(name: string, field: string): ReviewWarning[] {
  const scripts = mixedScripts(name);
  if (scripts.length === 0) return [];
  return [{ code: 'name_mixes_scripts', field, detail: `The name mixes letters of ${listOf(scripts)}.` }];
}

function hostWarnings(
  url: string,
  { field, approved }: { field: string; approved: { url: string | null } | null },
): ReviewWarning[] {
  const host = hostOf(url);
  if (!host) return [];
  const before = approved && (approved.url === null ? null : hostOf(approved.url));
  const warnings: ReviewWarning[] = [];
  if (approved && before?.name !== host.name) {
    const was = before ? `it was ${before.name}` : 'there was none';
    warnings.push({ code: 'host_changed', field, detail: `The host is ${host.name}. When approved, ${was}.` });
  }
  if (host.isIpAddress) {
    warnings.push({ code: 'host_is_ip_address', field, detail: `The host is the IP address ${host.name}.` });
  }
  if (host.isPunycode) {
    warnings.push({ code: 'host_is_punycode', field, detail: `The host ${host.name} reads as ${host.unicode}.` });
  }
  return warnings;
}

function listOf(names: string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

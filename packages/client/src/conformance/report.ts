import type { ConformanceOptions, ConformanceReport, GuaranteeResult } from './run-conformance.ts';

/** One line per guarantee. If it failed, also each request, with expected and received values. */
export function linesOf({ name, source, outcome, reason, breaches }: GuaranteeResult): string {
  const line = `${outcome.padEnd(7)} ${name} (${source}${reason ? `; ${reason}` : ''})`;
  const details = breaches.flatMap(({ request, mismatches }) => [
    ...mismatches.map(({ part, expected, received }) => `        ${part}: expected ${expected}, received ${received}`),
    `        ${request}`,
  ]);
  return [line, ...details].join('\n');
}

/** The complete report as JSON. */
export function documentOf({ baseUrl, appId, profile }: ConformanceOptions, report: ConformanceReport): object {
  const { results: guarantees, failures } = report;
  return { baseUrl, appId, profile, summary: summaryOf(report), failures, guarantees };
}

export function closingLineOf(report: ConformanceReport): string {
  const { ok, fails, skipped } = summaryOf(report);
  return `${ok} ok, ${fails} fail, ${skipped} skipped.`;
}

function summaryOf({ results }: ConformanceReport): Record<GuaranteeResult['outcome'], number> {
  const count = (wanted: GuaranteeResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  return { ok: count('ok'), fails: count('fails'), skipped: count('skipped') };
}

import { headlineColumns, isMet, type Target } from '../harness/case.ts';
import { engines } from '../harness/databases.ts';
import type { CaseResult, Run } from './run.ts';
import { boundText, numberText, rangeText, valueText } from './text.ts';

const figuresHead = `# Performance figures

Every figure of the latest complete benchmark. \`npm run bench\` writes this file. [Performance](performance.md) explains the
figures and how they were measured.
`;

/** The file with the figures of a run, and with the targets that are no headlines. */
export function figuresMarkdown(run: Run): string {
  return [figuresHead, machineText(run), '', otherTargetsTable(run), ...run.results.map(caseMarkdown)].join('\n');
}

/** The throughput and the headline targets of a run, at a glance. */
export function headlinesMarkdown({ at, results }: Run): string {
  const targets = results.flatMap((result) => result.targets).filter(({ headline }) => headline !== undefined);
  const rows = [...Map.groupBy(targets, ({ headline }) => headline)].map(([headline, ofRow]) => {
    const cells = engines.map((name) =>
      ofRow
        .filter(({ engine }) => engine === name)
        .map(headlineCell)
        .join('; '),
    );
    return `| ${headline} | ${cells.join(' | ')} |`;
  });
  const met = targets.filter(isMet).length;
  return [
    ...throughputTable(results),
    '',
    `${met} of ${targets.length} targets were met on ${at.slice(0, 10)} (✓). Targets are in parentheses.`,
    '',
    `| Target | ${engines.join(' | ')} |`,
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

/** What one process on one core does. */
function throughputTable(results: CaseResult[]): string[] {
  const rows = results.flatMap(({ figures, headlines = [] }) =>
    [...Map.groupBy(headlines, ({ name }) => name)].map(([name, ofEngines]) => {
      const cells = Object.assign({}, ...ofEngines.map((one) => one.cells));
      const values = headlineColumns.map((column) => figures.find(({ of }) => of === cells[column]));
      return `| ${name} | ${values.map((value) => (value ? numberText(value.value) : '')).join(' | ')} |`;
    }),
  );
  return [
    `| One process, one core; a second | ${headlineColumns.join(' | ')} |`,
    `|---${'|--:'.repeat(headlineColumns.length)}|`,
    ...rows,
  ];
}

function headlineCell(target: Target): string {
  const { value, unit, atLeast, atMost } = target;
  const bound = atLeast === undefined ? `≤ ${numberText(atMost ?? 0)}` : `≥ ${numberText(atLeast)}`;
  return `${isMet(target) ? '✓' : '**✗**'} ${valueText({ value, unit })} (${bound})`;
}

function machineText({ at, machine, pace }: Run): string {
  const { cpu, cores, memoryGib, system, node, pinned } = machine;
  const pinning = pinned
    ? 'servers pinned to one core, load to another'
    : 'servers and load **not** pinned to separate cores';
  const quick = pace.isQuick ? ' **This was a quick run**, with less data and shorter measurements.' : '';
  return `Measured on ${at.slice(0, 10)} on ${cpu}, ${cores} cores, ${memoryGib} GiB, ${system}, Node ${node}; ${pinning}. \
Each figure is the median of ${pace.rounds} rounds of ${pace.seconds} s over ${pace.connections} connections.${quick}`;
}

function otherTargetsTable({ results }: Run): string {
  const rows = results
    .flatMap(({ targets }) => targets)
    .filter(({ headline }) => headline === undefined)
    .map((target) => {
      const met = isMet(target) ? 'met' : '**not met**';
      return `| ${target.text} | ${valueText(target)} | ${boundText(target)} | ${met} |`;
    });
  return ['| Other targets | Measured | Target | |', '|---|---|---|---|', ...rows].join('\n');
}

function caseMarkdown({ title, about, figures }: CaseResult): string {
  const rows = figures.map(({ of, value, unit, rounds, ratio }) => {
    const share = ratio ? `${ratio.value.toFixed(2)} of ${ratio.of}` : '';
    return `| ${of} | ${numberText(value)} ${unit} | ${rangeText(rounds)} | ${share} |`;
  });
  const head = ['| | Median | Rounds | Ratio |', '|---|---|---|---|'];
  return ['', `## ${title}`, '', about, '', ...head, ...rows].join('\n');
}

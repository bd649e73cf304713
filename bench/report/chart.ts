import type { Figure } from '../harness/case.ts';
import type { CaseResult, Run } from './run.ts';
import { numberText } from './text.ts';

const shown = ['get-app', 'not-modified', 'updates'];
const width = 860;
const barsFrom = 250;
const barsWidth = 440;
const rowHeight = 24;
const headHeight = 40;
const kinds = [
  { begins: 'bare', kind: 'limit' },
  { begins: 'app-registry', kind: 'ours' },
  { begins: 'hand-written', kind: 'hand' },
];

/** A chart of throughput for each case. Bars are relative to the largest of their case. */
export function chart({ results }: Run): string {
  const drawn = shown.flatMap((name) => results.find((result) => result.name === name) ?? []);
  let y = 8;
  const groups = drawn.map((result) => {
    const group = drawCase(result, y);
    y += headHeight + result.figures.length * rowHeight;
    return group;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 12}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="14" role="img" aria-labelledby="title">`,
    `  <title id="title">${escapeXml(summary(drawn))}</title>`,
    `  <style>
    .head { fill: #212529; font-weight: 600; font-size: 15px; } .name, .value { fill: #495057; }
    .limit { fill: #adb5bd; } .ours { fill: #4c6ef5; } .hand { fill: #f59f00; } .database { fill: #868e96; }
    @media (prefers-color-scheme: dark) {
      .head { fill: #f1f3f5; } .name, .value { fill: #ced4da; } .limit { fill: #5c636a; } .ours { fill: #748ffc; } .hand { fill: #fcc419; }
    }
  </style>`,
    ...groups,
    '</svg>',
    '',
  ].join('\n');
}

function drawCase({ title, figures }: CaseResult, top: number): string {
  const largest = Math.max(...figures.map(({ value }) => value));
  const head = `  <text class="head" x="10" y="${top + 24}">${escapeXml(title)}</text>`;
  return [
    head,
    ...figures.map((figure, row) => drawBar(figure, { largest, y: top + headHeight + row * rowHeight })),
  ].join('\n');
}

function drawBar({ of, value, unit, ratio }: Figure, { largest, y }: { largest: number; y: number }): string {
  const kind = kinds.find(({ begins }) => of.startsWith(begins))?.kind ?? 'database';
  const length = Math.max(1, Math.round((value / largest) * barsWidth));
  const share = ratio ? ` · ${ratio.value.toFixed(2)}` : '';
  return [
    `  <text class="name" x="${barsFrom - 10}" y="${y + 13}" text-anchor="end">${escapeXml(of)}</text>`,
    `  <rect class="${kind}" x="${barsFrom}" y="${y}" width="${length}" height="17" rx="3"/>`,
    `  <text class="value" x="${barsFrom + length + 8}" y="${y + 13}">${numberText(value)} ${unit.replace('requests', 'req').replace('updates', 'upd')}${share}</text>`,
  ].join('\n');
}

/** A text alternative for the chart. */
function summary(drawn: CaseResult[]): string {
  return drawn
    .map(
      ({ title, figures }) =>
        `${title}: ${figures.map(({ of, value, unit }) => `${of} ${numberText(value)} ${unit}`).join(', ')}.`,
    )
    .join(' ');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

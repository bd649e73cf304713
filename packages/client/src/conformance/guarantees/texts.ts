import { type ContentKind, settableFields, updateWithFields } from '../app-content.ts';
import type { InterfaceGuarantee, Step } from '../interface-guarantee.ts';
import { update } from './requests.ts';

/** Valid, and easily damaged by trimming, normalising, counting UTF-16 units or an older Unicode. */
const odd = [
  'e\u0301 decomposed, é composed',
  'family 👨‍👩‍👧‍👦 flag 🇨🇭 fox 🦊',
  'עברית العربية 漢字 ไทย',
  'beyond the BMP 𝔘𠮷𐍈',
  'ﬁ Ａ ß ı K',
  '\ufffd \ufeff \u00a0 \u3000 \u00ad \ue000',
  '"quoted" \\ / <b>&amp;</b> \' ; -- %00 {x} null',
];

export const textGuarantees: readonly InterfaceGuarantee[] = [
  {
    name: 'Every valid text is returned exactly as sent, in any script.',
    source: 'docs 2.1',
    steps: odd.map((text) =>
      isStored({ name: `${text} {unique}`, line: ` ${text} `, lines: `${text}\r\n\t${text}\n` }),
    ),
  },
  {
    name: 'Lengths count code points: texts of the maximum length in four-byte characters are stored.',
    source: 'docs 2.1, 2.8',
    steps: [isStored({ name: `${'🦊'.repeat(92)}{unique}`, line: '🦊'.repeat(500), lines: '🦊'.repeat(4000) })],
  },
  {
    name: 'URLs are returned exactly as sent.',
    source: 'docs 2.8',
    steps: [
      'https://EXAMPLE.com:443/login?next=%2F',
      'http://localhost:3000/callback',
      'http://127.0.0.1/',
      'http://[::1]:8080/a/../b',
      'https://xn--bcher-kva.example',
      'https://example.com/'.padEnd(2048, 'a'),
    ].map((url) => isStored({ url })),
  },
  {
    name: 'A colour has three or six digits, in any case, and is returned as sent.',
    source: 'docs 2.8',
    steps: ['#0B5fFf', '#abc'].map((colour) => isStored({ colour })),
  },
];

/** The value of a kind is stored in every field of that kind. */
function isStored(values: Partial<Record<ContentKind, string>>): Step {
  const fields = settableFields.filter(({ kind }) => values[kind] !== undefined);
  return {
    requests: [update(updateWithFields(({ kind }) => values[kind]))],
    expect: {
      status: 200,
      body: Object.fromEntries(fields.map(({ pointer, kind }) => [pointer, { equals: values[kind] ?? null }])),
    },
  };
}

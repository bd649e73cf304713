import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/** Any code point. The unit `binary` of fast-check makes a table of all million of them, which costs more than the tests. */
const codePoint = fc
  .nat(0x10ffff - surrogates.count)
  .map((at) => String.fromCodePoint(at < surrogates.first ? at : at + surrogates.count));

/** Well-formed text of any code points. */
export function anyText(lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit: codePoint });
}

// RFC 3492, section 5: the parameters of punycode.
const [base, tMin, tMax, skew, damp, initialBias, initialCodePoint] = [36, 1, 26, 38, 700, 72, 128];

/** A host in Unicode: each label that is punycode, decoded. A label that is punycode of no text stays. */
export function unicodeHost(host: string): string {
  return host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decoded(label.slice(4)) ?? label) : label))
    .join('.');
}

/** RFC 3492, section 6.2. Undefined for what is no punycode. */
function decoded(label: string): string | undefined {
  const lastHyphen = label.lastIndexOf('-');
  const characters = lastHyphen > 0 ? [...label.slice(0, lastHyphen)] : [];
  const digits = [...label.slice(lastHyphen + 1)].map(digitOf).values();
  let [codePoint, place, bias] = [initialCodePoint, 0, initialBias];
  for (let isFirst = true; ; isFirst = false) {
    const delta = nextDelta(digits, bias);
    if (delta === undefined) return characters.join('');
    const count = characters.length + 1;
    codePoint += Math.floor((place + delta) / count);
    if (!(codePoint <= 0x10_ffff)) return undefined;
    place = (place + delta) % count;
    bias = adapted(isFirst ? Math.floor(delta / damp) : Math.floor(delta / 2), count);
    characters.splice(place, 0, String.fromCodePoint(codePoint));
    place += 1;
  }
}

/** The next number of variable length: undefined at the end of the digits, not a number where they are wrong or end early. */
function nextDelta(digits: Iterator<number>, bias: number): number | undefined {
  let [delta, weight] = [0, 1];
  for (let at = base; ; at += base) {
    const { value: digit, done } = digits.next();
    if (done) return at === base ? undefined : Number.NaN;
    delta += digit * weight;
    const threshold = Math.min(Math.max(at - bias, tMin), tMax);
    if (!(digit >= threshold)) return delta;
    weight *= base - threshold;
  }
}

function digitOf(character: string): number {
  if (/[a-z]/.test(character)) return character.charCodeAt(0) - 97;
  return /\d/.test(character) ? Number(character) + 26 : Number.NaN;
}

/** RFC 3492, section 6.1. */
function adapted(scaledDelta: number, count: number): number {
  let delta = scaledDelta + Math.floor(scaledDelta / count);
  let bias = 0;
  for (; delta > ((base - tMin) * tMax) / 2; bias += base) delta = Math.floor(delta / (base - tMin));
  return bias + Math.floor(((base - tMin + 1) * delta) / (delta + skew));
}

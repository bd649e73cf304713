import type { ComparedField } from './comparison.ts';
import { bestText, contrastMin } from './contrast.ts';

/** A background colour as a swatch, beside the earlier one, with how readable a text on it can be. */
export function ColourValue({
  field: { now, earlier, change },
  earlierName,
}: {
  field: ComparedField;
  earlierName: string;
}) {
  return (
    <div class="pictures">
      {change && earlier !== undefined && <Swatch value={earlier} caption={earlierName} />}
      {now !== undefined && <Swatch value={now} caption={change && 'Now'} />}
    </div>
  );
}

function Swatch({ value, caption }: { value: string; caption: string | undefined }) {
  return (
    <figure>
      <svg class="swatch" width="72" height="48" aria-hidden="true">
        <rect width="100%" height="100%" fill={value} />
      </svg>
      <figcaption>
        {caption} <code>{value}</code>
        <br />
        <span class="faint">Text contrast {shownRatio(value)}</span>
      </figcaption>
    </figure>
  );
}

/** A warning, if no text is easy to read on a background colour. */
export function ContrastWarning({ background }: { background: string }) {
  return (
    <p class="warning" role="note">
      Hard to read: neither dark nor white text reaches a contrast of {contrastMin} : 1 on {background}, as WCAG AA
      requires. The better of the two reaches {shownRatio(background)}.
    </p>
  );
}

export function isHardToRead(background: string): boolean {
  return bestText(background).ratio < contrastMin;
}

function shownRatio(background: string): string {
  return `${Math.floor(bestText(background).ratio * 100) / 100} : 1`;
}

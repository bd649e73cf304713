import type { ComparedField } from './comparison.ts';
import { bestText, contrastMin } from './contrast.ts';

/** A background colour after the earlier one, with how readable a text on it can be. */
export function ColourValue({ field: { now, earlier, change } }: { field: ComparedField }) {
  return (
    <p class="colour">
      {change && earlier !== undefined && (
        <del>
          <Swatch of={earlier} />
        </del>
      )}{' '}
      {now !== undefined &&
        (change ? (
          <ins>
            <Swatch of={now} />
          </ins>
        ) : (
          <Swatch of={now} />
        ))}{' '}
      {now !== undefined && <span class="faint">contrast {shownRatio(now)}</span>}
    </p>
  );
}

function Swatch({ of }: { of: string }) {
  return (
    <>
      <svg class="swatch" width="16" height="16" aria-hidden="true">
        <rect width="100%" height="100%" fill={of} />
      </svg>{' '}
      <code>{of}</code>
    </>
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

import { AppLogo } from '../parts/app-logo.tsx';
import type { ComparedField } from './comparison.ts';

/** A logo as a picture, beside the earlier one at the same size. */
export function LogoValue({
  field: { now, earlier, change },
  earlierName,
}: {
  field: ComparedField;
  earlierName: string;
}) {
  return (
    <div class="pictures">
      {change && <Logo id={earlier} caption={earlierName} />}
      <Logo id={now} caption={change && 'Now'} />
    </div>
  );
}

function Logo({ id, caption }: { id: string | undefined; caption: string | undefined }) {
  return (
    <figure>
      {id === undefined ? <div class="no-logo">No logo</div> : <AppLogo name="" logoId={id} size={96} />}
      {caption && <figcaption>{caption}</figcaption>}
    </figure>
  );
}

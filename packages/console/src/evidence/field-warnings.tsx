import type { ReviewWarning } from '@appregistrar/client/operator';
import { labelOf } from '../content.ts';
import { hrefOf } from '../route.ts';

/** What a reviewer should look at in a field, or in fields that are unknown here. */
export function FieldWarnings({ warnings, label }: { warnings: ReviewWarning[]; label?: string }) {
  if (warnings.length === 0) return null;
  return (
    <ul class="warning" aria-label={label ? `Warnings about ${label}` : 'Warnings'}>
      {warnings.map(({ code, field, detail, otherAppId }) => (
        <li key={`${code} ${field} ${otherAppId} ${detail}`}>
          {!label && <strong>{labelOf(field)}: </strong>}
          <span dir="auto">{detail}</span> {otherAppId && <a href={hrefOf(['apps', otherAppId])}>Open {otherAppId}</a>}
        </li>
      ))}
    </ul>
  );
}

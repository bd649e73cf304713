import type { ReviewWarning } from 'app-registry-client/operator';
import { labelOf } from '../content.ts';
import { hrefOf } from '../route.ts';

/** What a reviewer should look at in the content of an app. */
export function WarningList({ warnings }: { warnings: ReviewWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section class="warning" aria-label="Warnings for reviewers">
      <ul>
        {warnings.map(({ code, field, detail, otherAppId }) => (
          <li key={`${code} ${field} ${otherAppId}`}>
            <strong>{labelOf(field)}:</strong> <span dir="auto">{detail}</span>{' '}
            {otherAppId && <a href={hrefOf(['apps', otherAppId])}>Open {otherAppId}</a>}
          </li>
        ))}
      </ul>
    </section>
  );
}

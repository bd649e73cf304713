import type { OperatorApp, ReviewWarning } from '@appregistrar/client/operator';
import { TriangleAlert } from 'lucide';
import { AppLink } from '../parts/app-link.tsx';
import { DeveloperLink } from '../parts/developer-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { consequence, riskSentence } from './risks.ts';

interface RiskBannerProps {
  app: OperatorApp;
  warnings: readonly ReviewWarning[];
  /** The fields of content that no one has approved. */
  changed: readonly string[];
}

/** What a reviewer should look at before anything else, and for whom it matters. */
export function RiskBanner({ app, warnings, changed }: RiskBannerProps) {
  if (warnings.length === 0) return null;
  const isInEffect = (field: string) => app.effective?.source === 'current' || !changed.includes(field);
  return (
    <ul class="risk" aria-label="Warnings">
      {warnings.map((warning) => {
        const { code, field, detail, otherAppId } = warning;
        const effect = consequence(warning, { workspaces: app.installationCount, isInEffect: isInEffect(field) });
        return (
          <li key={`${code} ${field} ${otherAppId} ${detail}`}>
            <Icon of={TriangleAlert} size={16} />
            <p>
              <strong>{riskSentence(warning)}</strong>
              <br />
              <span dir="auto">
                <Detail warning={warning} />
              </span>{' '}
              {effect}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** The detail, with names in place of ids. */
function Detail({ warning: { detail, otherAppId } }: { warning: ReviewWarning }) {
  const pieces = otherAppId === undefined ? [detail] : detail.split(typeId);
  return (
    <>
      {[...pieces.entries()].map(([at, piece]) => {
        if (at % 2 === 0) return piece;
        return piece === otherAppId ? <AppLink key={at} id={piece} /> : <DeveloperLink key={at} userId={piece} />;
      })}
    </>
  );
}

const typeId = /\b([a-z_]+_[0-7][0-9a-hjkmnp-tv-z]{25})\b/;

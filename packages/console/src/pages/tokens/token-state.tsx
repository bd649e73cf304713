import type { ListedAccessToken } from '@appregistrar/client/operator';

const soonMs = 14 * 86_400_000;
const stateClasses = { active: 'approved', expired: 'draft', revoked: 'rejected' };
const stateNames = { active: 'Active', expired: 'Expired', revoked: 'Revoked' };

/** Whether a token is valid, and whether it expires within two weeks. */
export function TokenState({ token: { status, suspended, expiresAt } }: { token: ListedAccessToken }) {
  const expiresSoon = status === 'active' && Date.parse(expiresAt) - Date.now() < soonMs;
  return (
    <span class="badges">
      <span class={`badge ${stateClasses[status]}`}>{stateNames[status]}</span>
      {expiresSoon && <span class="badge changed">Expires soon</span>}
      {suspended && <span class="badge rejected">Developer suspended</span>}
    </span>
  );
}

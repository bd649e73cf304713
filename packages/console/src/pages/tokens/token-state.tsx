import type { ListedAccessToken } from '@appregistrar/client/operator';

const soonMs = 14 * 86_400_000;
const stateClasses = { active: 'approved', expired: 'draft', revoked: 'rejected' };
const stateNames = { active: 'Active', expired: 'Expired', revoked: 'Revoked' };

/** Whether a token is valid, and whether it expires within two weeks or was replaced. */
export function TokenState({ token }: { token: ListedAccessToken }) {
  const { status, suspended, expiresAt, replacedBy } = token;
  const expiresSoon = status === 'active' && !replacedBy && Date.parse(expiresAt) - Date.now() < soonMs;
  return (
    <span class="badges">
      <span class={`badge ${stateClasses[status]}`}>{stateNames[status]}</span>
      {expiresSoon && <span class="badge changed">Expires soon</span>}
      {status === 'active' && replacedBy && <span class="badge draft">Replaced</span>}
      {suspended && <span class="badge rejected">Developer suspended</span>}
    </span>
  );
}

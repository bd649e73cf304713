import type { Statistics } from '@appregistrar/client/operator';
import { DateTime } from '../../parts/date-time.tsx';
import { hrefOf } from '../../route.ts';
import { useHasScope } from '../../scopes.ts';
import { durationText } from './duration.ts';
import { WeekChart } from './week-chart.tsx';

type Weeks = Pick<Statistics, 'weeks'>;

/** What waits, and for how long. */
export function Waiting({ waiting: { count, more, oldestSince, medianSince } }: Pick<Statistics, 'waiting'>) {
  if (oldestSince === undefined) return <p class="queue">No app awaits review.</p>;
  const counted = `${more ? 'More than ' : ''}${count.toLocaleString()}`;
  return (
    <p class="queue">
      <strong>{count === 1 ? '1 app awaits review' : `${counted} apps await review`}</strong>
      {'; the first entered the queue '}
      <DateTime at={oldestSince} />
      {medianSince !== undefined && count > 2 && (
        <>
          , half of them <DateTime at={medianSince} /> or later
        </>
      )}
      {'. '}
      <a href={hrefOf(['review'])}>Open the queue</a>
    </p>
  );
}

/** Webhooks that need attention. Only an administrator has pages of them. */
export function FailingWebhooks({ webhooks: { failing, disabled } }: Pick<Statistics, 'webhooks'>) {
  const mayOpen = useHasScope('admin');
  if (failing + disabled === 0) return null;
  return (
    <p class="queue">
      {failing > 0 && <strong>{failing === 1 ? '1 webhook is failing. ' : `${failing} webhooks are failing. `}</strong>}
      {disabled > 0 && `Disabled after failed deliveries: ${disabled}. `}
      {mayOpen && <a href={hrefOf(['webhooks'])}>Open the webhooks</a>}
    </p>
  );
}

export function Decisions({ weeks }: Weeks) {
  const all = weeks.map(({ decisions }) => decisions);
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions">Decisions</h2>
      <WeekChart
        of="Decisions"
        mondays={mondaysOf(weeks)}
        series={[
          { name: 'Approved', tone: 'first', values: all.map(({ approved }) => approved) },
          { name: 'Rejected', tone: 'second', values: all.map(({ rejected }) => rejected) },
          { name: 'Changes rejected', tone: 'third', values: all.map(({ changesRejected }) => changesRejected) },
          { name: 'Revoked', tone: 'fourth', values: all.map(({ revoked }) => revoked) },
        ]}
      />
    </section>
  );
}

export function TimeToDecide({ weeks }: Weeks) {
  return (
    <section aria-labelledby="time">
      <h2 id="time">Time to decision</h2>
      <WeekChart
        of="Median time to decision"
        mondays={mondaysOf(weeks)}
        series={[{ name: 'Median', tone: 'first', values: weeks.map(({ medianWaitMs = 0 }) => medianWaitMs) }]}
        textOf={durationText}
      />
    </section>
  );
}

export function InstallationChanges({ weeks }: Weeks) {
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Installations and removals</h2>
      <WeekChart
        of="Installations created and deleted"
        mondays={mondaysOf(weeks)}
        series={[
          { name: 'Installed', tone: 'first', values: weeks.map(({ installations }) => installations.created) },
          { name: 'Removed', tone: 'second', values: weeks.map(({ installations }) => installations.deleted) },
        ]}
      />
    </section>
  );
}

/** The apps that gain most installations. */
export function GrowingApps({ growingApps }: Pick<Statistics, 'growingApps'>) {
  if (growingApps.length === 0) return null;
  return (
    <section aria-labelledby="growing">
      <h2 id="growing">Fastest-growing apps</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Since last week</th>
            <th scope="col" class="number">
              Installed
            </th>
            <th scope="col" class="number">
              Removed
            </th>
          </tr>
        </thead>
        <tbody>
          {growingApps.map(({ id, name, created, deleted }) => (
            <tr key={id}>
              <th scope="row">
                <a href={hrefOf(['apps', id])} dir="auto">
                  {name}
                </a>
              </th>
              <td class="number">{created.toLocaleString()}</td>
              <td class="number">{deleted.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function mondaysOf(weeks: Statistics['weeks']): string[] {
  return weeks.map(({ monday }) => monday);
}

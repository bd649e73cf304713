import type { DeveloperCounts, DeveloperRecord as LoadedRecord, QueueItem } from '@appregistrar/client/operator';
import { operator } from '../operator.ts';
import { Age } from '../parts/date-time.tsx';
import { nameOf } from '../parts/developer-name.tsx';
import { RequestError } from '../parts/request-error.tsx';
import { hrefOf } from '../route.ts';
import { useRequest } from '../use-request.ts';

interface DeveloperRecordProps {
  userId: string;
  /** The app in the review queue, which has the record; without it, the record is loaded. */
  item?: QueueItem | undefined;
}

/** The developer of an app, and what was decided about their apps before. */
export function DeveloperRecord({ userId, item }: DeveloperRecordProps) {
  const isNeeded = item === undefined;
  const { data, error, reload } = useRequest(
    async (signal) => (isNeeded ? operator.developers.getRecord(userId, { signal }) : undefined),
    [userId, isNeeded],
  );
  const developer = item?.developer ?? data?.developer;
  const counts = item?.developerCounts ?? data;
  return (
    <section class="record" aria-labelledby="developer">
      <h2 id="developer">Developer</h2>
      <p key={developer?.id}>
        <a href={hrefOf(['developers', userId])}>
          <bdi>{developer ? nameOf(developer) : '…'}</bdi>
        </a>{' '}
        {developer && nameOf(developer) !== developer.email && <bdi class="faint">{developer.email}</bdi>}
      </p>
      {error && <RequestError error={error} retry={reload} />}
      {developer && counts && (
        <Counted
          key={JSON.stringify(counts)}
          counts={counts}
          max={item ? 100 : 10_000}
          since={developer.createdAt}
          suspendedAt={developer.suspendedAt}
        />
      )}
    </section>
  );
}

type Counts = Pick<DeveloperCounts, 'apps' | 'decisions'> & Partial<Pick<LoadedRecord, 'suspensions'>>;

interface CountedProps {
  counts: Counts;
  /** The registry counts no further. */
  max: number;
  since: string;
  suspendedAt: string | undefined;
}

function Counted({ counts: { apps, decisions, suspensions = 0 }, max, since, suspendedAt }: CountedProps) {
  return (
    <dl class="facts">
      <dt>Apps</dt>
      <dd>
        <CountList counts={apps} names={appNames} max={max} />
      </dd>
      <dt>Decisions</dt>
      <dd>
        <CountList counts={decisions} names={decisionNames} max={max} />
      </dd>
      {(suspensions > 0 || suspendedAt) && (
        <>
          <dt>Suspensions</dt>
          <dd class="bad">
            {suspensions > 0 && suspensions} {suspendedAt && 'Suspended now'}
          </dd>
        </>
      )}
      <dt>Since</dt>
      <dd>
        <Age at={since} />
      </dd>
    </dl>
  );
}

const appNames: Record<keyof Counts['apps'], string> = {
  approved: 'approved',
  awaitingReview: 'waiting',
  draft: 'draft',
  rejected: 'rejected',
  deleted: 'deleted',
};

const decisionNames: Record<keyof Counts['decisions'], string> = {
  approved: 'approved',
  rejected: 'rejected',
  changesRejected: 'changes rejected',
  revoked: 'revoked',
};

/** The ones that speak against a developer. */
const isBad = new Set(['rejected', 'changesRejected', 'revoked']);

interface CountListProps<Key extends string> {
  counts: Record<Key, number>;
  names: Record<Key, string>;
  max: number;
}

/** "3 approved, 1 rejected": what there is none of is left out. */
function CountList<Key extends string>({ counts, names, max }: CountListProps<Key>) {
  const present = (Object.keys(names) as Key[]).filter((key) => counts[key] > 0);
  if (present.length === 0) return <>None</>;
  return (
    <>
      {present.map((key, at) => (
        <span key={key} class={isBad.has(key) ? 'bad' : undefined}>
          {at > 0 && ', '}
          {counts[key].toLocaleString()}
          {counts[key] >= max && ' or more'} {names[key]}
        </span>
      ))}
    </>
  );
}

import { useLayoutEffect, useRef } from 'preact/hooks';
import { DeveloperField } from '../../parts/form/developer-field.tsx';
import { replaceRoute } from '../../route.ts';
import { hrefOfReview, isFiltered, type QueueFilter } from './queue-filter.ts';

interface QueueFiltersProps {
  filter: QueueFilter;
  /** The app that is open, which stays open. */
  appId: string | undefined;
}

/** What of the queue is listed, and in which order. The address has it. */
export function QueueFilters({ filter, appId }: QueueFiltersProps) {
  const change = (changes: QueueFilter) => replaceRoute(hrefOfReview({ ...filter, ...changes }, appId));
  return (
    <search class="queue-filters" aria-label="Filter the queue">
      <Choice
        label="Kind"
        value={filter.kind}
        options={{
          '': 'Any',
          submission: 'Submissions',
          new: 'New apps',
          change: 'Changes',
          transfer: 'Transfers',
          mine: 'Assigned to me',
        }}
        onChange={(kind) => change({ kind })}
      />
      <Choice
        label="Waiting"
        value={filter.days}
        options={{
          '': 'Any time',
          1: 'A day or more',
          3: '3 days or more',
          7: 'A week or more',
          30: '30 days or more',
        }}
        onChange={(days) => change({ days })}
      />
      <Choice
        label="Warnings"
        value={filter.warnings}
        options={{ '': 'Any', yes: 'With warnings', no: 'Without warnings' }}
        onChange={(warnings) => change({ warnings })}
      />
      <Choice
        label="Sort"
        value={filter.sort}
        options={{ '': 'Longest waiting first', newest: 'Newest first' }}
        onChange={(sort) => change({ sort })}
      />
      <Developer developer={filter.developer} onChange={(developer) => change({ developer })} />
      {isFiltered(filter) && <a href={hrefOfReview({ sort: filter.sort }, appId)}>Clear filters</a>}
    </search>
  );
}

interface ChoiceProps {
  id?: string;
  label: string;
  value: string | undefined;
  options: Record<string, string>;
  onChange: (value: string) => void;
}

function Choice({ id, label, value = '', options, onChange }: ChoiceProps) {
  return (
    <label>
      {label}
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {Object.entries(options).map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Filters once a developer is chosen or recognised by their id, as the registry refuses part of an id. */
function Developer({ developer, onChange }: { developer: string | undefined; onChange: (id: string) => void }) {
  const form = useRef<HTMLFormElement>(null);
  // Navigation restores what the address says.
  useLayoutEffect(() => form.current?.reset(), [developer]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onChange(String(new FormData(event.currentTarget as HTMLFormElement).get('/developerId')).trim());
  };
  return (
    <form ref={form} onSubmit={submit}>
      <DeveloperField name="/developerId" label="Developer" defaultValue={developer} submits />
    </form>
  );
}

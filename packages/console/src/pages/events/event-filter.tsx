import { appContentFields } from '../../../../server/src/features/apps/app-content.ts';
import { eventKinds } from '../../events/event-kinds.ts';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { Filter } from '../../parts/form/filter.tsx';
import { hrefOf } from '../../route.ts';
import type { ShownError } from '../../shown-error.ts';
import { typesBySubject } from '../webhooks/event-types.ts';

interface EventFilterProps {
  filter: Record<string, string | undefined>;
  query: URLSearchParams;
  error: ShownError | undefined;
  retry: () => void;
}

/** Which events are listed. Those that people need less often are folded. */
export function EventFilter({ filter, query, error, retry }: EventFilterProps) {
  const { type, appId, actor, about, requestId, field, contains, since, until } = filter;
  const hasMore = [about, requestId, field, since, until].some((value) => value !== undefined);
  return (
    <>
      <Filter path={['events']} query={query} error={error} retry={retry}>
        <TypeField types={type} />
        <TextField name="/contains" label="Content contains" type="search" defaultValue={contains ?? ''} />
        <TextField name="/appId" label="App id" type="search" defaultValue={appId ?? ''} />
        <TextField name="/actor" label="Actor" type="search" defaultValue={actor ?? ''} />
        <details class="more" open={hasMore}>
          <summary>More filters</summary>
          <div class="filter">
            <TextField
              name="/about"
              label="Object id"
              hint="The id of a developer, workspace, installation, logo, token or webhook"
              type="search"
              defaultValue={about ?? ''}
            />
            <SelectField name="/field" label="Changed field" defaultValue={field ?? ''}>
              <option value="">Any</option>
              {appContentFields.map(({ path, label }) => (
                <option key={path} value={path}>
                  {label}
                </option>
              ))}
            </SelectField>
            <TimeField name="/since" label="Since" at={since} />
            <TimeField name="/until" label="Until" at={until} />
            <TextField name="/requestId" label="Request id" type="search" defaultValue={requestId ?? ''} />
          </div>
        </details>
      </Filter>
      {Object.values(filter).some((value) => value !== undefined) && (
        <p class="alone">
          <a href={hrefOf(['events'])}>Show all events</a>
        </p>
      )}
    </>
  );
}

function TypeField({ types = '' }: { types: string | undefined }) {
  const kinds = Object.values(eventKinds).map(({ name, types: all }) => ({
    name: `All of: ${name}`,
    value: all.join(),
  }));
  const known = Object.values(typesBySubject).flat();
  const isOther = types !== '' && ![...known, ...kinds.map(({ value }) => value)].includes(types);
  return (
    <SelectField name="/type" label="Type" defaultValue={types}>
      <option value="">Any</option>
      {isOther && <option value={types}>{types}</option>}
      {kinds.map(({ name, value }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
      {Object.entries(typesBySubject).map(([subject, all = []]) => (
        <optgroup key={subject} label={subject}>
          {all.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}

/** A time in the zone of the user. The address has it in UTC. */
function TimeField({ name, label, at }: { name: string; label: string; at: string | undefined }) {
  return <TextField name={name} label={label} type="datetime-local" step={1} defaultValue={localTime(at)} />;
}

function localTime(at: string | undefined): string {
  const time = Date.parse(at ?? '');
  if (Number.isNaN(time)) return '';
  const offsetMs = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offsetMs).toISOString().slice(0, 19);
}

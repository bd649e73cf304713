import { type EventType, typesBySubject } from './event-types.ts';

interface EventTypesProps {
  /** Null for every type. */
  chosen: EventType[] | null;
  choose: (types: EventType[] | null) => void;
}

/** The events that a webhook gets: all, or those of the types that are chosen. */
export function EventTypes({ chosen, choose }: EventTypesProps) {
  return (
    <fieldset>
      <legend>Gets</legend>
      <label class="choice">
        <input type="radio" name="gets" checked={chosen === null} onChange={() => choose(null)} />
        every event, also of types that a later version tells
      </label>
      <label class="choice">
        <input type="radio" name="gets" checked={chosen !== null} onChange={() => choose([])} />
        these alone
      </label>
      {chosen !== null && (
        <div class="types">
          {Object.entries(typesBySubject).map(([subject, types = []]) => (
            <fieldset key={subject}>
              <legend>{subject}</legend>
              {types.map((type) => (
                <TypeChoice key={type} type={type} chosen={chosen} choose={choose} />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </fieldset>
  );
}

function TypeChoice({
  type,
  chosen,
  choose,
}: {
  type: EventType;
  chosen: EventType[];
  choose: EventTypesProps['choose'];
}) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={chosen.includes(type)}
        onChange={({ currentTarget }) =>
          choose(currentTarget.checked ? [...chosen, type] : chosen.filter((other) => other !== type))
        }
      />
      {type}
    </label>
  );
}

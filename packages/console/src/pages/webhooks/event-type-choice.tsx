import { type EventType, typesBySubject } from './event-types.ts';

interface EventTypeChoiceProps {
  /** Null for every type. */
  chosen: EventType[] | null;
  choose: (types: EventType[] | null) => void;
}

/** The events sent to a webhook: all, or those of the chosen types. */
export function EventTypeChoice({ chosen, choose }: EventTypeChoiceProps) {
  return (
    <fieldset>
      <legend>Events</legend>
      <label class="choice">
        <input type="radio" name="events" checked={chosen === null} onChange={() => choose(null)} />
        All events, including types added in later versions
      </label>
      <label class="choice">
        <input type="radio" name="events" checked={chosen !== null} onChange={() => choose([])} />
        Only these
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
  choose: EventTypeChoiceProps['choose'];
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

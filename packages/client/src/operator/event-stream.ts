import type { Attempt } from '../client/attempt.ts';
import { errorOf } from '../client/errors.ts';
import type { Connection } from '../client/options.ts';
import { withConnectionError } from '../client/request.ts';
import { describeResponse } from '../client/response.ts';
import type { EventSummary } from './types.ts';

/**
 * A change as a stream reports it.
 *
 * @example
 * const print = ({ event, cursor }: StreamedEvent) => console.log(event.type, cursor);
 * for await (const streamed of operator.events.stream()) print(streamed);
 */
export interface StreamedEvent {
  /** The change, without its values and reason. */
  event: EventSummary;
  /** Where the next stream continues. */
  cursor: string;
}

/** The events of a response that is sent as they happen (HTML, 9.2). */
export async function readEventStream(
  connection: Connection,
  received: Response,
  attempt: Attempt,
): Promise<AsyncGenerator<StreamedEvent, void, void>> {
  if (received.headers.get('content-type') !== 'text/event-stream') throw errorOf(describeResponse(received));
  return eventsOf(connection, received, attempt);
}

async function* eventsOf(
  connection: Connection,
  received: Response,
  attempt: Attempt,
): AsyncGenerator<StreamedEvent, void, void> {
  const decoder = new TextDecoder();
  const body = received.body?.getReader();
  try {
    for (let text = ''; ; ) {
      // The registry is never silent for as long as the timeout, which does not include the time of the consumer.
      const next = await attempt.within(() => withConnectionError(connection, async () => body?.read()));
      if (!next?.value) return;
      const messages = (text + decoder.decode(next.value, { stream: true })).split('\n\n');
      text = messages.pop() ?? '';
      yield* messages.flatMap(eventIn);
    }
  } finally {
    attempt.end();
  }
}

/** None in a comment, or in a message with only a cursor. */
function eventIn(message: string): StreamedEvent[] {
  const fields = new Map(
    message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.replace(/^\w+: /, '')]),
  );
  const data = fields.get('data');
  return data === undefined ? [] : [{ event: JSON.parse(data), cursor: fields.get('id') ?? '' }];
}

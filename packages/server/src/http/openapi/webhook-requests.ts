import Type from 'typebox';
import { Event, eventSchemas } from '../../features/events/event.ts';
import { eventData } from '../../features/events/event-data.ts';

/** What receivers of webhooks are sent, as OpenAPI describes it: a request for each type of event, and one of several. */
export const webhookRequests = {
  ...Object.fromEntries(
    [...eventSchemas].map(([type, schema]) => {
      const { description } = eventData[type];
      return [type, { post: receive(type, { summary: description, id: 'webhook-id', schema }) }];
    }),
  ),
  batch: {
    post: receive('batch', {
      summary: 'Several events of one app, in order, for a webhook with `batch`.',
      id: 'webhook-id-of-batch',
      schema: Type.Array(Event, { minItems: 1, maxItems: 100 }),
    }),
  },
};

const signature = 'v1,[A-Za-z0-9+/]{43}=';

/** The components that they refer to: the headers of Standard Webhooks, and what each response means. */
export const webhookComponents = {
  parameters: {
    'webhook-id': header('webhook-id', {
      description: 'The id of the event, the same for every attempt: ignore an id that you have already processed.',
      schema: { type: 'string', pattern: '^event_[0-9a-z]{26}$', examples: ['event_01jq3w3k1hf5tr8z0v6n2m9c4d'] },
    }),
    'webhook-id-of-batch': header('webhook-id', {
      description:
        'Identifies the batch across retries. Deduplicate by the ids of its events: they may arrive again in another batch.',
      schema: { type: 'string', pattern: '^batch_[0-9a-f]{32}$', examples: ['batch_5f0c1a9e7d3b4c2a8e6f1b0d9c7a5e3f'] },
    }),
    'webhook-timestamp': header('webhook-timestamp', {
      description:
        'The time of this attempt, in seconds since 1970. Reject an attempt that is more than five minutes old.',
      schema: { type: 'string', pattern: '^[0-9]+$', examples: ['1772357400'] },
    }),
    'webhook-signature': header('webhook-signature', {
      description:
        'The signature of the id, the timestamp and the raw body, according to the Standard Webhooks specification. During a rotation of the secret there are two signatures: one must match.',
      schema: {
        type: 'string',
        pattern: `^${signature}(?: ${signature})*$`,
        examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
      },
    }),
  },
  responses: {
    delivered: { description: 'Delivered. The body is ignored; operators see its beginning.' },
    gone: { description: 'The receiver is gone: its webhook is disabled immediately.' },
    later: {
      description: 'Try again later: retried as after any other failure, but not before `Retry-After`.',
      headers: {
        'Retry-After': {
          description: 'Seconds or a date, honoured up to an hour.',
          schema: { type: 'string', examples: ['120'] },
        },
      },
    },
    failed: {
      description:
        'A failure, as are redirects and no response within 20 seconds. The request is retried at growing intervals with the same `webhook-id`, and later events of the app wait for it. After the last attempt, the delivery has failed until an operator redelivers it. A webhook that has accepted nothing for five days is disabled.',
    },
  },
};

interface Received {
  summary: string;
  /** The component that describes its `webhook-id`. */
  id: keyof typeof webhookComponents.parameters;
  schema: Type.TSchema;
}

function receive(name: string, { summary, id, schema }: Received): object {
  return {
    operationId: `receive_${name.replace('.', '_')}`,
    summary,
    description:
      'Sent to webhooks that receive this type. Verify the signature, respond within 20 seconds, and do the work afterwards.',
    tags: ['webhooks'],
    security: [],
    parameters: [id, 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': response('delivered'),
      410: response('gone'),
      429: response('later'),
      503: response('later'),
      default: response('failed'),
    },
  };
}

function response(name: keyof typeof webhookComponents.responses): object {
  return { $ref: `#/components/responses/${name}` };
}

function header(name: string, described: { description: string; schema: object }): object {
  return { name, in: 'header', required: true, ...described };
}

import Type from 'typebox';
import { Event, eventSchemas } from '../../contract/event.ts';
import { eventData } from '../../contract/event-data.ts';

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
      description: 'The id of the event, the same each time that it is sent: ignore an id that was seen before.',
      schema: { type: 'string', pattern: '^event_[0-9a-z]{26}$', examples: ['event_01jq3w3k1hf5tr8z0v6n2m9c4d'] },
    }),
    'webhook-id-of-batch': header('webhook-id', {
      description:
        'Identifies the batch while it is repeated. Remember the ids of its events: they may come in another one.',
      schema: { type: 'string', pattern: '^batch_[0-9a-f]{32}$', examples: ['batch_5f0c1a9e7d3b4c2a8e6f1b0d9c7a5e3f'] },
    }),
    'webhook-timestamp': header('webhook-timestamp', {
      description:
        'When this attempt was made, in seconds since 1970. Refuse an attempt that is more than five minutes old.',
      schema: { type: 'string', pattern: '^[0-9]+$', examples: ['1772357400'] },
    }),
    'webhook-signature': header('webhook-signature', {
      description:
        'Per the Standard Webhooks specification, over the id, the timestamp and the body as it arrived. Two of them while the secret is being rotated: one must match.',
      schema: {
        type: 'string',
        pattern: `^${signature}(?: ${signature})*$`,
        examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
      },
    }),
  },
  responses: {
    delivered: { description: 'Delivered. The body is ignored; operators see how it begins.' },
    gone: { description: 'The receiver is gone: its webhook is disabled at once.' },
    later: {
      description: 'Not now: the request is repeated as after any other failure, no sooner than `Retry-After` says.',
      headers: {
        'Retry-After': {
          description: 'Seconds or a date. It is heeded up to an hour.',
          schema: { type: 'string', examples: ['120'] },
        },
      },
    },
    failed: {
      description:
        'A failure, as redirects and no response within 20 seconds are: the request is repeated, at growing intervals, under the same `webhook-id`. Later events of the app wait for it. After the last attempt the delivery has failed, until an operator repeats it; a webhook that has taken nothing for five days is disabled.',
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
      'Sent to webhooks that want it. Verify the signature, respond within 20 seconds, and do the work afterwards.',
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

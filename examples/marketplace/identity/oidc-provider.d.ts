/** The part that is used here: the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    rejectResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export interface Interaction {
    params: { client_id: string; scope: string; redirect_uri: string };
    prompt: { name: string };
    session?: { accountId: string };
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    readonly Grant: { new (given: { accountId: string; clientId: string }): Grant; find(id: string): Promise<Grant> };
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    /** Where to send the browser then. */
    interactionResult(request: IncomingMessage, response: ServerResponse, result: object): Promise<string>;
  }

  export const errors: { InvalidTarget: new () => Error };
}

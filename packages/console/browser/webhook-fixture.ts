import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { ConsoleFixture } from './console-fixture.ts';

/** The console of a registry that may send events to a local receiver. */
export class WebhookFixture {
  readonly console: ConsoleFixture;
  readonly receiver: HookReceiver;

  static async open(): Promise<WebhookFixture> {
    const console = await ConsoleFixture.open(sqlite, { WEBHOOK_ALLOW_PRIVATE: '1' });
    return new WebhookFixture(console, await HookReceiver.start());
  }

  private constructor(console: ConsoleFixture, receiver: HookReceiver) {
    this.console = console;
    this.receiver = receiver;
  }

  /** Creates a webhook for the receiver. */
  newWebhook(name: string, { path = '/', types }: { path?: string; types?: string[] } = {}) {
    const registry = { ...this.console.data.registry, webhookAllowPrivate: true };
    return createWebhook(registry, commandLine, { url: this.receiver.url(path), name, ...(types && { types }) });
  }

  async close(): Promise<void> {
    await this.console.close();
    await this.receiver.close();
  }
}

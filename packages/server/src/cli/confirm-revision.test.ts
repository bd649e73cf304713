import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, runTyping } from '@appregistrar/testkit/programs/command-line';
import { withRegistry } from '@appregistrar/testkit/registry/with-registry';
import type { OperatorApp } from '../features/apps/app-schemas.ts';

const reason = ['--reason', 'It does not respond.'];

onSqlite((engine) => {
  let cli: CommandLine;
  let developer: string;
  let apps = 0;
  before(async () => {
    cli = await CommandLine.open(engine);
    developer = (await cli.done<{ id: string }>('developer', 'create', '--email', 'ada@example.com')).id;
  });
  after(() => cli.close());

  const show = (id: string) => cli.done<OperatorApp>('app', 'get', id);
  async function submitted(...options: string[]): Promise<OperatorApp> {
    const name = ['--name', `Invoice Sync ${++apps}`];
    const { id } = await cli.done<OperatorApp>('app', 'create', '--developer', developer, ...name, ...options);
    return cli.done('app', 'submit', id);
  }

  /** Runs a command as on a terminal, and types this after its question. */
  async function onTerminal(args: string[], input: string | null | (() => Promise<string>)) {
    const typing = { prompt: '[y/N] ', input };
    const { status, stdout, stderr } = await runTyping(typing, ...args, '--database-url', cli.databaseUrl);
    return { status, screen: stderr + stdout };
  }

  test('a script that names no revision is wrong usage, which names the current one and what to do', async () => {
    const { id } = await submitted();
    for (const args of [['approve'], ['reject', ...reason], ['approve', '--json']]) {
      const { status, stdout, stderr } = await runTyping(
        { input: 'y\n' },
        ...['app', ...args, id, '--database-url', cli.databaseUrl],
      );
      assert.deepEqual({ status, stdout }, { status: 2, stdout: '' });
      const text = args.includes('--json') ? `error: ${JSON.parse(stderr).detail}` : stderr;
      assert.match(
        text,
        new RegExp(`^error: .+--revision; ${id} is now at revision 1: .+"app-registry app get ${id}"`, 'im'),
      );
      assert.equal((await show(id)).reviewStatus, 'AWAITING_REVIEW');
    }
  });

  test('a terminal shows all content of an app that was never approved, and a yes decides', async () => {
    const first = await submitted('--callback-url', 'https://ada.example/back');
    const { status, screen } = await onTerminal(['app', 'approve', first.id], 'y\n');
    assert.equal(status, 0, screen);
    const { name, id } = first;
    const title = `"${name}" (${id}) of ${developer}, AWAITING_REVIEW, revision 1\n  never approved\n  Name\n    + "${name}"\n`;
    assert.ok(screen.startsWith(title), screen);
    assert.match(screen, /\n {2}Callback URL\n {4}\+ "https:\/\/ada\.example\/back"\nApprove revision 1 of "Invoice/);
    assert.equal((await show(id)).reviewStatus, 'APPROVED');

    const second = await submitted();
    assert.equal((await onTerminal(['app', 'reject', second.id, ...reason], 'yes\n')).status, 0);
    assert.equal((await show(second.id)).rejectionReason, 'It does not respond.');
  });

  test('a terminal shows only what differs from the approved content', async () => {
    const { id } = await submitted('--callback-url', 'https://ada.example/back', '--short-description', 'Same.');
    await cli.done('app', 'approve', id, '--revision', '1');
    await cli.done('app', 'revoke', id, ...reason);
    await cli.done('app', 'submit', id);
    const unchanged = await onTerminal(['app', 'approve', id], 'n\n');
    assert.match(unchanged.screen, /revision 1\n {2}unchanged since it was approved at revision 1\nApprove/);

    await cli.done('app', 'withdraw', id);
    await cli.done('app', 'update', id, '--callback-url', 'https://evil.example/', '--login-url', 'https://a.example/');
    await cli.done('app', 'submit', id);
    const { screen } = await onTerminal(['app', 'approve', id], 'n\n');
    assert.match(
      screen,
      /approved at revision 1, changed since\n {2}Login URL\n {4}- \(none\)\n {4}\+ "https:\/\/a\.example\/"\n {2}Callback URL\n {4}- "https:\/\/ada\.example\/back"\n {4}\+ "https:\/\/evil\.example\/"\nApprove revision 2 /,
    );
  });

  test('any other reply, and none, decides nothing', async () => {
    const { id } = await submitted();
    for (const input of ['n\n', '\n', 'app approve\n', null]) {
      const { status, screen } = await onTerminal(['app', 'approve', id], input);
      assert.equal(status, 1, screen);
      assert.ok(screen.endsWith(`app-registry: Revision 1 of ${id} was not confirmed. Nothing was changed.\n`), screen);
      assert.equal((await show(id)).reviewStatus, 'AWAITING_REVIEW');
    }
  });

  test('a change between the question and the reply is refused', async () => {
    const { id } = await submitted();
    const { status, screen } = await onTerminal(['app', 'approve', id], async () => {
      await cli.done('app', 'withdraw', id);
      await cli.done('app', 'update', id, '--callback-url', 'https://evil.example/');
      await cli.done('app', 'submit', id);
      return 'y\n';
    });
    assert.equal(status, 1, screen);
    assert.match(screen, /app-registry: The app is now at revision 2, which is not the reviewed one/);
    assert.equal((await show(id)).reviewStatus, 'AWAITING_REVIEW');
  });

  test('no content controls the terminal, or looks like another line', async () => {
    const { id } = await submitted('--long-description', 'One.\n    + "another value"');
    // The rules for texts refuse it, so it is stored directly.
    await withRegistry(cli.databaseUrl, ({ storage }) =>
      storage.write(async (transaction) => {
        const name = 'Name\u001b]0;x\u0007\u202e\nApprove';
        await transaction.run(transaction.builder.updateTable('apps').set({ name }).where('id', '=', id).compile());
      }),
    );
    const { screen } = await onTerminal(['app', 'approve', id], 'n\n');
    assert.doesNotMatch(screen, /[^\P{Cc}\n]|\u202e/u);
    assert.ok(screen.includes(String.raw`    + "One.\n    + \"another value\""`), screen);
    assert.ok(screen.includes(String.raw`revision 1 of "Name\u001b]0;x\u0007\u202e\nApprove"? [y/N] `), screen);
  });
});

#!/usr/bin/env node
import { help, runCommand } from './command.ts';

const [command, ...args] = process.argv.slice(2);
const interruption = new AbortController();
// Once: a second signal ends the process immediately.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => interruption.abort());
}
// The reader of the output may stop, as `head` does: the app is still restored.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', () => interruption.abort());
}

if (command === 'conformance') {
  const context = {
    environment: process.env,
    signal: interruption.signal,
    write: (text: string) => void process.stdout.write(text),
    writeError: (text: string) => void process.stderr.write(text),
  };
  void runCommand(args, context).then((code) => {
    process.exitCode = code;
  });
} else {
  void (command === '--help' ? process.stdout : process.stderr).write(help);
  process.exitCode = command === '--help' ? 0 : 2;
}

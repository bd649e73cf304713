import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';

/** Reads a secret: from a terminal with a prompt and without echo, otherwise all of standard input. */
export async function readSecret(command: Command, prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const { writeErr } = command.configureOutput();
  // In raw mode a terminal echoes nothing: before the prompt, because the secret may be pasted as soon as that appears.
  process.stdin.setRawMode(true).setEncoding('utf8').resume();
  try {
    writeErr?.(prompt);
    return (await readLine()).trim();
  } finally {
    process.stdin.setRawMode(false).pause();
    writeErr?.('\n');
  }
}

const [interrupt, endOfInput, backspace] = ['\u0003', '\u0004', '\u007f'];

async function readLine(): Promise<string> {
  let line = '';
  for (;;) {
    const [typed] = (await once(process.stdin, 'data')) as [string];
    for (const character of typed) {
      if (character === interrupt) return '';
      if (character === '\r' || character === '\n' || character === endOfInput) return line;
      line = character === backspace ? line.slice(0, -1) : line + character;
    }
  }
}

import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { defaultPort } from './setup/addresses.ts';
import { startMarketplace } from './setup/marketplace.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: String(defaultPort) } } });
const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);

const marketplace = await startMarketplace(Number(values.port));
console.log(`The marketplace is at ${marketplace.addresses.guide}\nPress Ctrl+C to stop it and delete its data.`);
await ended;
await marketplace.stop();
process.exit();

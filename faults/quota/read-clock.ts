import { readFileSync } from 'node:fs';

// Preloaded into the service: its monotonic clock shows what is in a file.
const file = process.env.FAULTS_CLOCK ?? '';
performance.now = () => Number(readFileSync(file, 'utf8'));

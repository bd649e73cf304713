import { serve } from '../serve.ts';
import { readConfig } from '../config/config.ts';
await serve(readConfig());

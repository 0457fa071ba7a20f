import { looks } from './looks.mjs';

looks('it', { anew: true });

import { looks } from './looks.mjs';
import { together } from './together.mjs';

looks('together', together);

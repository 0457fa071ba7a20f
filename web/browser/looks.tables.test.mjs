import { looks } from './looks.mjs';
import { tables } from './screens.mjs';

looks('tables', tables);

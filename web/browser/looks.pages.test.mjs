import { looks } from './looks.mjs';
import { pages } from './screens.mjs';

looks('pages', pages);

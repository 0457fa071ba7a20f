import { looks } from './looks.mjs';

looks('fr');

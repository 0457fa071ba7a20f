import { looks } from './looks.mjs';

looks('en', { axe: true });

/** What the page should say: the locale files themselves. */
import { readFileSync } from 'node:fs';

const files = {};

/** All messages of a language. */
export function messages(language) {
  return (files[language] ??= JSON.parse(readFileSync(new URL(`../../i18n/${language}.json`, import.meta.url), 'utf8')));
}

/** A message that has no slots. */
export function words(language, key) {
  const text = messages(language)[key];
  if (text === undefined || text.includes('{')) throw new Error(`${key} is no plain message`);
  return text;
}

/** What a message may look like, whatever stands in its slots. */
export function shape(language, key) {
  const text = messages(language)[key];
  if (text === undefined) throw new Error(`there is no ${key}`);
  let depth = 0;
  let pattern = '';
  for (const letter of text) {
    if (letter === '{' && depth++ === 0) pattern += '.*';
    else if (letter === '}') depth--;
    else if (depth === 0) pattern += letter.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  }
  return new RegExp(`^${pattern}$`, 'su');
}

/** The shapes of all messages whose key begins so. */
export function shapes(language, prefix) {
  return Object.keys(messages(language))
    .filter((key) => key.startsWith(prefix))
    .map((key) => shape(language, key));
}

/** Runs the tests in a browser, two files at a time and those that take longest first, so
 * that none of them is left for the end, when nothing runs beside it. By itself Node runs
 * files by their names. Names of tests may be given: node browser/run.mjs looks hint. */
import { readdirSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

/** The long ones, the longest first. A file that is not among them comes after them. */
const long = ['looks.tables', 'looks.together', 'online', 'phone', 'motion', 'treesociety', 'ibm', 'hint', 'offline', 'friends', 'shift', 'docs', 'profile', 'flaky', 'guide', 'touch', 'grandbois', 'keyboard', 'sides', 'mistakes', 'bosk', 'looks.pages'];
const end = '.test.mjs';
const there = readdirSync(new URL('.', import.meta.url)).flatMap((file) => (file.endsWith(end) ? [file.slice(0, -end.length)] : []));
for (const name of long) if (!there.includes(name)) throw new Error(`there is no browser/${name}${end}`);
const wanted = process.argv.slice(2);
const names = [...long, ...there.filter((name) => !long.includes(name)).sort()].filter((name) => !wanted.length || wanted.some((part) => name.includes(part)));

run({ files: names.map((name) => fileURLToPath(new URL(name + end, import.meta.url))), concurrency: 2 })
  .on('test:fail', ({ todo }) => todo === undefined && (process.exitCode = 1))
  .compose(new spec())
  .pipe(process.stdout);

/** Notes which packages of npm are in the page as it is built, fonts included: those
 * whose licences must travel with it. tools/release reads it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plugin } from 'vite';

/** The package that a file belongs to; nothing where it is a file of ours. */
export function packageOf(file: string): string | undefined {
  return file.replaceAll('\\', '/').match(/^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1];
}

/** A plugin for the page and one for its worker, which is bundled apart. */
export function linked(out: string): { page: Plugin; worker: Plugin } {
  const found = new Set<string>();
  const generateBundle: Plugin['generateBundle'] = (_, bundle) => {
    for (const part of Object.values(bundle)) {
      const files = part.type === 'chunk' ? Object.keys(part.modules) : part.originalFileNames;
      for (const file of files) {
        const name = packageOf(file);
        if (name) found.add(name);
      }
    }
  };
  return {
    page: {
      name: 'linked',
      apply: 'build',
      generateBundle,
      closeBundle() {
        mkdirSync(dirname(out), { recursive: true });
        writeFileSync(out, JSON.stringify([...found].sort(), null, 2) + '\n');
      },
    },
    worker: { name: 'linked-worker', apply: 'build', generateBundle },
  };
}

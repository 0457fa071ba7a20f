import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess({ script: true }),
  compilerOptions: {
    runes: true, // everywhere, so that the older reactivity is not loaded
    // Short names for scoped styles: they stand in every element.
    cssHash: ({ hash, filename, css }) => 's' + hash(filename + css).slice(0, 4),
  },
};

/** Bytes of each game's engine before compression. */
declare const __ENGINE_BYTES__: Record<string, number>;

/** How the words of each language and part of the page are fetched. */
declare module 'locale:files' {
  type Messages = () => Promise<{ default: Record<string, string> }>;
  const files: Record<import('./words/speech.ts').Tag, Record<string, Messages>>;
  export default files;
}

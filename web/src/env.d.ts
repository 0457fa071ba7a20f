/** Bytes of each game's engine before compression. */
declare const __ENGINE_BYTES__: Record<string, number>;

declare module 'locale:*' {
  const messages: Record<string, string>;
  export default messages;
}

/** Bytes of the engine before compression; 0 where it was not built. */
declare const __ENGINE_BYTES__: number;

declare module 'locale:*' {
  const messages: Record<string, string>;
  export default messages;
}

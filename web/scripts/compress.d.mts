/** The types of compress.mjs, which Node runs as it is. */
export function compressible(name: string): boolean;
export function compress(folder: string, name: string): Promise<{ name: string; raw: number; br: number }>;

/** Writes the types of the API from a server's own document:
 *  node scripts/api.mjs http://localhost:8080 */
import { writeFileSync } from 'node:fs';

const opening = '/** The API in types, made from /api/openapi.json by scripts/api.mjs: not to be edited. */\n';

/** A schema as a type. */
function typeOf(schema) {
  if (schema === undefined || schema === true) return 'unknown';
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.oneOf || schema.anyOf) return (schema.oneOf ?? schema.anyOf).map((s) => typeOf(s)).join(' | ');
  if (schema.const) return `'${schema.const}'`;
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'array') return listOf(typeOf(schema.items));
  if (schema.type === 'object') return schema.properties ? `{ ${fields(schema, '; ')} }` : `{ [name: string]: ${typeOf(schema.additionalProperties)} }`;
  return schema.type ?? 'unknown';
}

const listOf = (type) => (/[ |]/.test(type) ? `(${type})[]` : `${type}[]`);

function fields({ properties, required = [] }, between) {
  return Object.entries(properties)
    .map(([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`)
    .join(between);
}

/** All types of a document. */
export function typesOf({ paths, components }) {
  const shapes = Object.entries(components.schemas).map(([name, schema]) =>
    schema.properties ? `export interface ${name} {\n  ${fields(schema, ';\n  ')};\n}\n` : `export type ${name} = ${typeOf(schema)};\n`,
  );
  const calls = Object.entries(paths).flatMap(([path, ways]) =>
    Object.entries(ways).map(([method, call]) => {
      const json = (part) => part?.content?.['application/json']?.schema;
      const done = Object.entries(call.responses).find(([status]) => status.startsWith('2'))[1];
      const body = call.requestBody ? typeOf(json(call.requestBody)) : 'undefined';
      return `  /** ${call.summary} */\n  '${method.toUpperCase()} ${path}': [${body}, ${json(done) ? typeOf(json(done)) : 'undefined'}];\n`;
    }),
  );
  const news = Object.values(paths)
    .flatMap((ways) => Object.values(ways))
    .flatMap((call) => Object.entries(call.responses['200']?.content?.['text/event-stream']?.['x-events'] ?? {}))
    .map(([name, { data, description }]) => `  /** ${description} */\n  ${name}: ${typeOf(data)};\n`);
  return (
    `${opening}\n${shapes.join('\n')}\n/** What the stream tells, by name. */\nexport interface Events {\n${news.join('')}}\n` +
    `\n/** Every call: what is sent, and what is answered. */\nexport interface Calls {\n${calls.join('')}}\n`
  );
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const answer = await fetch(new URL('/api/openapi.json', process.argv[2] ?? 'http://localhost:8080'));
  writeFileSync(new URL('../src/online/api.gen.ts', import.meta.url), typesOf(await answer.json())); // only once there is something to write
}

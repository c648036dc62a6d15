import type { Document, JsonSchema } from '../../worker/reference/openapi/openapi-types.ts'
import { docComment, writeType } from './write-type.ts'

const heading = `// Written by \`npm run client\` from the description of the API. Do not edit it.
`

/** Names that mean something else in TypeScript. */
const otherNames: Record<string, string> = { Error: 'ErrorBody' }

function nameOf(schemaName: string): string {
  return otherNames[schemaName] ?? schemaName
}

/** The types of everything that is sent to the service or answered by it, as one TypeScript module. */
export function writeApiTypes({ components }: Document): string {
  const bodies = Object.entries(components.requestBodies).flatMap(
    ([name, { content }]): [string, JsonSchema][] => {
      // The form that carries a file is written by the client itself.
      const schema = content['application/json']?.schema
      return schema ? [[name, schema]] : []
    },
  )
  const declarations = [...Object.entries(components.schemas), ...bodies].map(
    ([name, schema]) =>
      `${docComment(schema)}export type ${nameOf(name)} = ${writeType(schema, nameOf)}\n`,
  )
  return [heading, ...declarations].join('\n')
}

import { describeApi } from '../../worker/reference/openapi/document.ts'
import type { Document, JsonSchema } from '../../worker/reference/openapi/json-schemas.ts'
import { apiTypes } from '../machine/built-files.ts'
import { writeIfChanged } from '../machine/write-file.ts'
import { shareTypes } from './share-types.ts'
import { docComment, writeType } from './write-type.ts'

/** Writes the types of the API beside the sources of the client, unless they are as the API is described. */
export function writeApiTypes(): void {
  writeIfChanged(apiTypes, Buffer.from(typesIn(describeApi('0.0.0', 'http://127.0.0.1:8787'))))
}

const heading = '// Written from the description of the API. Do not edit it.\n'

/** Names that mean something else in TypeScript. */
const otherNames: Record<string, string> = { Error: 'ErrorBody' }

function nameOf(schemaName: string): string {
  return otherNames[schemaName] ?? schemaName
}

/** The types of everything that is sent to the service or answered by it, as one TypeScript module. */
function typesIn({ components }: Document): string {
  const bodies = Object.entries(components.requestBodies).flatMap(
    ([name, { content }]): [string, JsonSchema][] => {
      // The form that carries a file is written by the client itself.
      const schema = content['application/json']?.schema
      return schema ? [[name, schema]] : []
    },
  )
  // A body that others refer to is among the schemas too.
  const all = { ...components.schemas, ...Object.fromEntries(bodies) }
  const { known, declared } = shareTypes(all, nameOf)
  const declarations = Object.entries(all).map(([name, schema]) => {
    // A type that others are made of is not made of itself.
    const bases = known.bases.filter((base) => base.name !== name)
    return `${docComment(schema)}export type ${nameOf(name)} = ${writeType(schema, { ...known, bases })}\n`
  })
  return [heading, ...declarations, ...declared].join('\n')
}

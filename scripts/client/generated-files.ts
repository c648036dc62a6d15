import path from 'node:path'
import { readFile } from 'node:fs/promises'
import { describeApi } from '../../worker/reference/openapi/document.ts'
import { formatText } from '../machine/format-text.ts'
import { clientFolder } from './build-client.ts'
import { writeRequestFlags } from './request-flags.ts'
import type { Document, JsonSchema } from '../../worker/reference/openapi/json-schemas.ts'
import { shareTypes } from './share-types.ts'
import { docComment, writeType } from './write-type.ts'

/** The files of the client that are made from the description of the API and its package.json, by their path. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = describeApi('0.0.0', 'http://127.0.0.1:8787')
  const written = {
    'src/api-types.ts': writeApiTypes(document),
    'src/cli/arguments/request-flags.ts': writeRequestFlags(document),
    'src/cli/version.ts': await writeVersion(),
  }
  const formatted = Object.entries(written).map(async ([file, text]): Promise<[string, string]> => [
    file,
    await formatText(file, text, 'collapse'),
  ])
  return Object.fromEntries(await Promise.all(formatted))
}

async function writeVersion(): Promise<string> {
  const manifest = await readFile(path.join(clientFolder, 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  return `// Written by \`npm run client\` from package.json. Do not edit it.
export const version = ${JSON.stringify(version)}
`
}

const heading = `// Written by \`npm run client\` from the description of the API. Do not edit it.
`

/** Names that mean something else in TypeScript. */
const otherNames: Record<string, string> = { Error: 'ErrorBody' }

function nameOf(schemaName: string): string {
  return otherNames[schemaName] ?? schemaName
}

/** The types of everything that is sent to the service or answered by it, as one TypeScript module. */
function writeApiTypes({ components }: Document): string {
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

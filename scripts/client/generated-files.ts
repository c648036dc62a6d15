import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describeApi } from '../../worker/reference/openapi/document.ts'
import { root } from '../machine/checkout.ts'
import { writeApiTypes } from './api-types.ts'
import { writeRequestFlags } from './request-flags.ts'

export const clientFolder = path.join(root, 'client')

/** The files of the client that are made from the description of the API and its package.json, by their path. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = describeApi('0.0.0', 'http://127.0.0.1:8787')
  const written = {
    'src/api-types.ts': writeApiTypes(document),
    'src/cli/arguments/request-flags.ts': writeRequestFlags(document),
    'src/cli/version.ts': await writeVersion(),
  }
  const formatted = Object.entries(written).map(async ([file, text]): Promise<[string, string]> => {
    const style = await resolveConfig(path.join(clientFolder, file))
    return [file, await format(text, { ...style, parser: 'typescript' })]
  })
  return Object.fromEntries(await Promise.all(formatted))
}

async function writeVersion(): Promise<string> {
  const manifest = await readFile(path.join(clientFolder, 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  return `// Written by \`npm run client\` from package.json. Do not edit it.
export const version = ${JSON.stringify(version)}
`
}

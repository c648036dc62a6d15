import path from 'node:path'
import { readFile } from 'node:fs/promises'
import { describeApi } from '../../worker/reference/openapi/document.ts'
import { formatText } from '../machine/format-text.ts'
import { clientFolder } from './build-client.ts'
import { writeRequestFlags } from './request-flags.ts'

/** What the sources of the command line take from the description of the API and from package.json, by the path of its file. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = describeApi('0.0.0', 'http://127.0.0.1:8787')
  const written = {
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

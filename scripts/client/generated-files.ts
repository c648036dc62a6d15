import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describeApi } from '../../worker/reference/openapi/document.ts'
import { root } from '../machine/checkout.ts'
import { writeApiTypes } from './api-types.ts'

export const clientFolder = path.join(root, 'client')

/** The files of the client that are made from the description of the API, by their path in its folder. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = describeApi('0.0.0', 'http://127.0.0.1:8787')
  const written = {
    'src/api-types.ts': writeApiTypes(document),
  }
  const formatted = Object.entries(written).map(async ([file, text]): Promise<[string, string]> => {
    const style = await resolveConfig(path.join(clientFolder, file))
    return [file, await format(text, { ...style, parser: 'typescript' })]
  })
  return Object.fromEntries(await Promise.all(formatted))
}

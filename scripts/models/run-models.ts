import { rmSync } from 'node:fs'
import { sizeText } from '../machine/progress-line.ts'
import { textTable } from '../admin/text-table.ts'
import { createDataDirectory } from '../start/data/data-directory.ts'
import { readSettings } from '../start/settings.ts'
import { catalogue, type CatalogueEntry } from './catalogue.ts'
import { getModel, type Getting } from './get-model.ts'
import { modelFolder, readOrigin, stateOf } from './model-folder.ts'
import { parseArguments } from './parse-arguments.ts'

type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stop: AbortSignal
  readonly out: Getting['out']
}

/** Runs a command line and returns the text for its end. */
export async function runModels(
  argv: readonly string[],
  { env, stop, out }: Surroundings,
): Promise<string> {
  const parsed = parseArguments(argv)
  if (parsed.command === 'help') return parsed.text
  const settings = readSettings(env)
  const { models } = createDataDirectory(settings.SPOOL_DATA_DIR)
  switch (parsed.command) {
    case 'list':
      return `${listModels(models)}\n`
    case 'remove':
      return `${removeModel(models, parsed.entry)}\n`
    case 'get': {
      const hub = { baseUrl: settings.SPOOL_MODELS_URL, stop }
      const { entry, variant } = parsed
      return `${await getModel({ hub, modelsFolder: models, entry, variant, out })}\n`
    }
  }
}

function listModels(models: string): string {
  const rows = catalogue.map(({ name, aboutMegabytes, languages, licence }) => {
    const folder = modelFolder(models, name)
    const state = stateOf(folder)
    const { variant, sizeBytes } = readOrigin(folder.whole) ?? {}
    const size = sizeBytes === undefined ? `about ${aboutMegabytes} MB` : sizeText(sizeBytes)
    return [
      name,
      size,
      languages,
      licence,
      state === 'here' && variant ? `here, ${variant}` : state,
    ]
  })
  return `${textTable(['Name', 'Size', 'Languages', 'Licence', 'State'], rows)}\n\nIn ${models}`
}

function removeModel(models: string, { name }: CatalogueEntry): string {
  const folder = modelFolder(models, name)
  const state = stateOf(folder)
  for (const one of Object.values(folder)) rmSync(one, { recursive: true, force: true })
  return state === 'not here' ? `${name} is not here.` : `${name} is removed.`
}

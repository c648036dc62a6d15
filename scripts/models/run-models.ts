import { rmSync } from 'node:fs'
import { sizeText } from '../../client/src/cli/terminal/quantities.ts'
import { textTable } from '../admin/text-table.ts'
import { createDataDirectory } from '../start/data/data-directory.ts'
import { readSettings } from '../start/settings.ts'
import { catalogue, type CatalogueEntry, variants, type Variant } from './catalogue.ts'
import { getModel, type Getting } from './get-model.ts'
import { modelFolder, readOrigin, stateOf } from './model-folder.ts'
import { readOptions } from '../machine/read-options.ts'
import { type StopWithMessage, UsageError } from '../machine/stop-with-message.ts'

type Surroundings = {
  readonly env: NodeJS.ProcessEnv
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

type ModelsCommand =
  | { readonly command: 'help'; readonly text: string }
  | { readonly command: 'list' }
  | { readonly command: 'get'; readonly entry: CatalogueEntry; readonly variant: Variant }
  | { readonly command: 'remove'; readonly entry: CatalogueEntry }

const names = catalogue.map(({ name }) => name).join(', ')

const help = `Usage: npm run models -- list
       npm run models -- get NAME [--variant VARIANT]
       npm run models -- remove NAME

Speech models for every language, which recognise on this machine. They go to the folder models of the data directory
(SPOOL_DATA_DIR).

  list             the models with their sizes, languages and licences, and which of them are here
  get NAME         fetches a model: it shows how far it is, goes on where it was stopped, and compares every file with the
                   checksum that the hub has for it
  remove NAME      removes a model, or what was fetched of one

  NAME             ${names}
  --variant NAME   ${Object.keys(variants).join(', ')}; quantized if absent
  --help           show this

SPOOL_MODELS_URL  the hub, or a mirror with the same addresses (default: https://huggingface.co)

Exit code 0 when it is done, 1 when it failed, 2 for a mistake in the command, 130 when stopped.
`

const hint = 'npm run models -- --help lists the commands.'

/** What a command line asks for. */
function parseArguments(argv: readonly string[]): ModelsCommand {
  const options = {
    variant: { type: 'string', default: 'quantized' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values, positionals } = readOptions(argv, { options, allowPositionals: true }, hint)
  const [command = 'help', name = '', ...more] = positionals
  if (values.help || command === 'help') return { command: 'help', text: help }
  if (command === 'list' && name === '') return { command }
  if ((command === 'get' || command === 'remove') && more.length === 0) {
    const entry = catalogue.find((one) => one.name === name)
    if (!entry) throw misuse(`There is no model "${name}"; there are ${names}.`)
    if (command === 'remove') return { command, entry }
    const { variant } = values
    if (!isVariant(variant)) throw misuse(`There is no variant "${variant}".`)
    return { command, entry, variant }
  }
  throw misuse(`"${positionals.join(' ')}" is not understood.`)
}

const isVariant = (text: string): text is Variant => Object.hasOwn(variants, text)

function misuse(message: string): StopWithMessage {
  return new UsageError(`${message}\n${hint}`)
}

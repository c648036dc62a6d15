import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { sizeText } from '../../client/src/cli/terminal/quantities.ts'
import { ProgressLine } from '../machine/progress-line.ts'
import { requireSpace } from '../machine/require-space.ts'
import { writeJson } from '../machine/write-file.ts'
import { type CatalogueEntry, type Variant, variants } from './catalogue.ts'
import { fetchFile } from './fetch-file.ts'
import { addressOf, listFiles, newestCommit, type Hub, type HubFile } from './hub.ts'
import { modelFolder, originFile, readOrigin, type Origin } from './model-folder.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'

export type Getting = {
  readonly hub: Hub
  readonly modelsFolder: string
  readonly entry: CatalogueEntry
  readonly variant: Variant
  readonly out: { isTTY?: boolean; write: (text: string) => unknown }
}

/** Fetches a model into its folder; what an earlier try has fetched stays. */
export async function getModel(getting: Getting): Promise<string> {
  const { hub, entry, modelsFolder, out } = getting
  const { whole, partial } = modelFolder(modelsFolder, entry.name)
  if (existsSync(whole)) {
    const variant = readOrigin(whole)?.variant ?? 'unknown'
    return `${entry.name} (${variant}) is there already. To fetch another variant, remove it first.\n${howToUse(whole)}`
  }
  const origin = await beginning(getting, partial)
  const files = chooseFiles(await listFiles(hub, entry.repository, origin.commit), getting.variant)
  const sizeBytes = sum(files.map(({ size }) => size))
  requireSpace(partial, sizeBytes - sum(files.map((file) => fetchedOf(partial, file))))
  const { licence = entry.licence } = origin
  out.write(
    `${entry.name} (${origin.variant}): ${sizeText(sizeBytes)} in ${files.length} files from ${hub.baseUrl}/${entry.repository}, licence ${licence}\n`,
  )
  const progress = new ProgressLine(out)
  progress.begin('Fetching', sizeBytes)
  try {
    for (const file of files) {
      const url = addressOf(hub, entry.repository, origin.commit, file.path)
      const target = path.join(partial, file.path)
      await fetchFile({ hub, url, file, target, onBytes: (bytes) => progress.add(bytes) })
    }
  } finally {
    progress.clear()
  }
  writeJson(originFile(partial), { ...origin, sizeBytes } satisfies Origin, 0o600)
  renameSync(partial, whole)
  return `Every file has the checksum that the hub has for it (commit ${origin.commit}).\n${howToUse(whole)}`
}

/** The commit of an earlier try, so that its files fit those still to come, or the newest one. */
async function beginning({ hub, entry, variant }: Getting, partial: string): Promise<Origin> {
  const before = readOrigin(partial)
  const { repository } = entry
  const wanted = { from: hub.baseUrl, repository, variant }
  if (
    before?.from === hub.baseUrl &&
    before.repository === repository &&
    before.variant === variant
  ) {
    return before
  }
  const { commit, licence } = await newestCommit(hub, repository)
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true, mode: 0o700 })
  const origin = { ...wanted, commit, ...(licence !== undefined && { licence }) }
  writeJson(originFile(partial), origin, 0o600)
  return origin
}

function fetchedOf(folder: string, { path: name, size }: HubFile): number {
  const target = path.join(folder, name)
  if (existsSync(target)) return size
  return statSync(`${target}.part`, { throwIfNoEntry: false })?.size ?? 0
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function howToUse(folder: string): string {
  return `To use it: SPEECH_MODEL_DIR=${folder} npm start`
}

const needed = ['config.json', 'generation_config.json', 'preprocessor_config.json']
const tokenizers = [
  ['tokenizer.json', 'tokenizer_config.json'],
  ['vocab.json', 'added_tokens.json', 'tokenizer_config.json'],
]
const graphs = ['encoder_model', 'decoder_model_merged']

/** The files of one variant. Only names that are expected are taken, so that no list can write anywhere else. */
function chooseFiles(files: readonly HubFile[], variant: Variant): HubFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const require = (path: string): HubFile => {
    const file = byPath.get(path)
    if (!file) throw new StopWithMessage(`The hub has no ${path} of this model.`)
    return file
  }
  const [whole, parts] = tokenizers
  const tokenizer = (byPath.has('tokenizer.json') ? whole : parts) ?? []
  const [vocabulary = '', ...others] = tokenizer
  return [
    ...needed.map(require),
    require(vocabulary),
    ...others.flatMap((path) => byPath.get(path) ?? []),
    ...graphs.flatMap((graph) => {
      const path = `onnx/${graph}${variants[variant]}.onnx`
      if (!byPath.has(path)) throw noVariant(files, variant)
      return [require(path), ...weightsBeside(path, files)]
    }),
  ]
}

/** Large graphs have their weights in files beside them: `.onnx_data`, `.onnx_data_1`, … */
function weightsBeside(graph: string, files: readonly HubFile[]): HubFile[] {
  return files.filter(
    ({ path }) =>
      path.startsWith(`${graph}_data`) && /^(?:_\d{1,3})?$/.test(path.slice(graph.length + 5)),
  )
}

function noVariant(files: readonly HubFile[], variant: Variant): StopWithMessage {
  const offered = Object.entries(variants).filter(([, ending]) =>
    graphs.every((graph) => files.some(({ path }) => path === `onnx/${graph}${ending}.onnx`)),
  )
  const list = offered.map(([name]) => name).join(', ') || 'none'
  return new StopWithMessage(`The hub has no variant ${variant} of this model; it has: ${list}.`)
}

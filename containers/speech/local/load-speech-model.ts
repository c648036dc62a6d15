import { stat, open, readdir } from 'node:fs/promises'
import { z } from 'zod'
import { ModelFault } from './model-fault.ts'
import { readModelJson } from './model-json.ts'
import { loadMoonshine, packagedModel } from './moonshine/load-moonshine.ts'
import type { SpeechModel } from './recogniser.ts'
import { findGraphs } from './whisper/graph-files.ts'
import { loadGraphs } from './whisper/load-graphs.ts'
import { readModelTexts } from './whisper/model-texts.ts'
import { whisperModel } from './whisper/whisper-model.ts'
import { whisperParts } from './whisper/whisper-parts.ts'
import { createHash } from 'node:crypto'
import path from 'node:path'

const config = z.object({ model_type: z.string().nullish() })
const anything = z.unknown()

/** Loads the packaged model, or the one in a folder, whose `config.json` says of which kind it is. */
export async function loadSpeechModel(folder: string | undefined): Promise<SpeechModel> {
  if (folder === undefined) return loadMoonshine(undefined)
  if (!(await isFolder(folder))) throw new ModelFault('it is not a folder')
  const kind = (await readModelJson(folder, 'config.json', config))?.model_type
  if (kind === 'whisper') return loadWhisper(folder)
  if (typeof kind === 'string' && kind !== 'moonshine') {
    throw new ModelFault(
      `config.json: model_type is ${kind.slice(0, 50)}, and must be whisper or moonshine`,
    )
  }
  // Every Whisper model comes with this file, and no Moonshine needs one.
  if (kind === undefined && (await readModelJson(folder, 'generation_config.json', anything))) {
    throw new ModelFault('config.json, with its model_type, is missing')
  }
  return loadMoonshine(folder)
}

/** Loads a Whisper model as Optimum and onnx-community publish it. */
async function loadWhisper(folder: string): Promise<SpeechModel> {
  const texts = await readModelTexts(folder)
  const graphs = await loadGraphs(await findGraphs(folder))
  return whisperModel(whisperParts(graphs, texts))
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory()
  } catch {
    return false
  }
}

const readBytes = 65_536

/**
 * Raise this number when the same model gives other words or times for the same samples. Then transcripts that an attempt kept
 * before an update, or that a media worker of another release made, are not combined with the rest.
 */
const hearing = 4

/**
 * Tells models apart, by the names and sizes of their files and by bytes from the middle of each: models of one kind differ
 * only in their weights.
 */
export async function markOfModel(folder = packagedModel()): Promise<string> {
  const hash = createHash('sha256').update(`hearing ${hearing}\n`)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory())
  const names = files.map(({ parentPath, name }) =>
    path.relative(folder, path.join(parentPath, name)),
  )
  for (const name of names.sort()) {
    await using handle = await open(path.join(folder, name))
    const { size } = await handle.stat()
    const bytes = Buffer.alloc(Math.min(size, readBytes))
    await handle.read(bytes, 0, bytes.length, Math.floor((size - bytes.length) / 2))
    hash.update(`${name}\n${size}\n`).update(bytes)
  }
  return hash.digest('hex')
}

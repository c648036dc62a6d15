import type { SpeechModel } from '../recogniser.ts'
import { findGraphs } from './graph-files.ts'
import { loadGraphs } from './load-graphs.ts'
import { readModelTexts } from './model-texts.ts'
import { whisperModel } from './whisper-model.ts'
import { whisperParts } from './whisper-parts.ts'

/** Loads a Whisper model as Optimum and onnx-community publish it. */
export async function loadWhisper(folder: string): Promise<SpeechModel> {
  const texts = await readModelTexts(folder)
  const graphs = await loadGraphs(await findGraphs(folder))
  return whisperModel(whisperParts(graphs, texts))
}

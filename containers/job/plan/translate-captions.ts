import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { translationKind } from '../../../worker/contract/job/media-job.ts'
import type { UploadedOutput } from '../../../worker/contract/job/report.ts'
import { breakWords, fileLines, joined } from '../../../worker/contract/captions/caption-lines.ts'
import { captionWords } from '../../../worker/contract/captions/caption-words.ts'
import { joinTexts } from '../../../worker/contract/captions/unspaced.ts'
import {
  writeSrt,
  writeVtt,
  type Caption,
} from '../../../worker/contract/captions/write-captions.ts'
import { AnalysisFailure, type AnalysisProvider } from '../../insight/analysis-provider.ts'
import { translateCues, type AskModel } from '../../insight/translate/translate-cues.ts'
import type { Cut, Translation } from '../cut/cut-footage.ts'
import { explainFailure } from '../hear/hear-speech.ts'
import type { JobContext } from '../job-context.ts'
import { uploadOutput } from '../report/upload-output.ts'
import { cuesOf, whatCaptionsSay } from './add-captions.ts'
import { ProviderFault, type ProviderFaultKind } from '../../providers/provider-fault.ts'

/** Adds captions in the requested languages. A language that could not be translated is left out with a warning. */
export async function translateCaptions(cut: Cut): Promise<Cut> {
  const { job, providers, mayListenMs } = cut.context
  const { captions } = job.options
  const translate = createTranslator(providers.analysis)
  if (!captions?.translateTo || !translate || mayListenMs !== undefined) return cut
  const said = await whatCaptionsSay(cut, captions)
  if ('why' in said) return cut
  const cues = await cuesOf(said)
  const from = captions.language ?? said.speech.language
  const { glossary = {} } = captions
  const translations: Translation[] = []
  const warnings: string[] = []
  for (const to of captions.translateTo) {
    const made = await translateInto(cut.context, translate, { cues, from, to, glossary })
    if (made.captions) translations.push({ language: to, captions: made.captions })
    warnings.push(...made.warnings)
  }
  return { ...cut, translations, warnings: [...cut.warnings, ...warnings] }
}

type CueRequest = {
  readonly cues: readonly Caption[]
  readonly from: string
  readonly to: string
  readonly glossary: Readonly<Record<string, string>>
}

async function translateInto(
  context: JobContext,
  translate: AskModel,
  { cues, from, to, glossary }: CueRequest,
) {
  if (from === to) return { captions: cues, warnings: [] }
  const texts = cues.map(({ startMs, endMs, lines }) => ({
    ...{ startMs, endMs, text: joinTexts(lines, from) },
  }))
  try {
    const asked = { cues: texts, from, to, glossary }
    const translated = await translateCues(translate, asked, context.signal)
    const captions = cues.map((cue, i) => ({
      ...cue,
      lines: linesOf(translated.texts[i] ?? '', to),
    }))
    return { captions, warnings: translated.warnings }
  } catch (error) {
    const why = explainFailure(context, error, 'Not translated.')
    if (!(error instanceof AnalysisFailure)) throw error
    return { warnings: [`captions.translateTo (${to}): ${why}`.slice(0, 500)] }
  }
}

/** Breaks a text into lines as in other caption files; one that is too long for two lines stays in one. */
function linesOf(text: string, language: string): string[] {
  const segment = { text, startTime: 0, endTime: 1 }
  const lines = breakWords(captionWords({ language, segments: [segment] }), fileLines)
  return lines ? lines.map(joined) : [text]
}

/** Stores each translation as files, beside the video. */
export async function storeTranslations({
  context: { job, signal, tools },
  translations = [],
}: Cut): Promise<UploadedOutput[]> {
  const files = translations.flatMap(({ language, captions }) => [
    { language, format: 'vtt' as const, text: writeVtt(captions) },
    { language, format: 'srt' as const, text: writeSrt(captions) },
  ])
  const uploaded: UploadedOutput[] = []
  for (const { language, format, text } of files) {
    const kind = translationKind(language, format)
    const file = path.join(tools.folder, `${kind}.${format}`)
    await writeFile(file, text)
    const output = { kind, extension: format }
    uploaded.push(await uploadOutput({ job, signal, file, output, onProgress: () => undefined }))
  }
  return uploaded
}

const messages: Record<ProviderFaultKind, string> = {
  'timed-out': 'did not answer in time',
  busy: 'is busy and asked to come back later',
  unreachable: 'did not answer',
  unreadable: 'gave an answer that could not be read',
  'key-refused': 'refused the API key',
  'too-large': 'takes no texts of this size',
  refused: 'refused the request',
}

/** Asks the model that analyses videos; undefined if it does not answer questions, like the one on this machine. */
export function createTranslator({
  answer,
}: Pick<AnalysisProvider, 'answer'>): AskModel | undefined {
  if (!answer) return undefined
  return async (question, signal) => {
    try {
      return await answer(question, signal)
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      const why = `Not translated: the analysis provider ${messages[error.kind]}.`
      throw new AnalysisFailure(why, { cause: error })
    }
  }
}

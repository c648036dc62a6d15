import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hearsCaptions, type ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { speakersAsked } from '../../../worker/contract/options/speakers.ts'
import type { TranscriptResult, UploadedOutput } from '../../../worker/contract/job/report.ts'
import { unsure, untold } from '../../insight/edit/cut-speakers.ts'
import { wholeText } from '../../insight/tidy-speech.ts'
import { speakersIn, whoSaid } from '../../insight/tell-speakers.ts'
import type { Speech, Transcription } from '../../timeline/speech.ts'
import { explainFailure } from './hear-speech.ts'
import { transcriptFormats } from '../../../worker/contract/video/transcript.ts'
import { writeTranscript } from '../../insight/captions/write-subtitles.ts'
import type { JobContext } from '../job-context.ts'
import { uploadOutput } from '../report/upload-output.ts'

type Transcribed = { result: TranscriptResult; outputs: UploadedOutput[]; warnings: string[] }

/** Stores the transcript, with times in a video of this length. */
export async function finishTranscript(
  context: JobContext,
  transcription: Transcription,
  durationSeconds: number,
): Promise<Transcribed> {
  const nothing = { outputs: [], warnings: [] }
  switch (transcription.outcome) {
    case 'unasked':
      throw new Error('Nobody listened for the transcript')
    case 'too-long': {
      const warning = `enableTranscription: the video is longer than ${transcription.mostSeconds} seconds, so it was not transcribed.`
      // For captions, another warning says so.
      const warnings = context.job.options.enableTranscription ? [warning] : []
      return { ...nothing, result: { status: 'not_requested' }, warnings }
    }
    case 'failed':
      return { ...nothing, result: { status: 'failed', message: transcription.message } }
    case 'heard':
      try {
        const { speech } = transcription
        const outputs = await storeTranscript(context, speech, durationSeconds)
        const { language, confidence, doubt } = speech
        const told = {
          text: wholeText(speech),
          language,
          ...(confidence !== undefined && { confidence }),
          ...whoSaid(speech),
        }
        const warnings = [
          ...(doubt === undefined ? [] : [`${askedBy(context.job.options)}: ${doubt}`]),
          ...doubtOfSpeakers(context.job.options, speech),
        ]
        return { outputs, result: { status: 'completed', ...told }, warnings }
      } catch (error) {
        const message = explainFailure(context, error, 'The transcript could not be stored.')
        return { ...nothing, result: { status: 'failed', message } }
      }
  }
}

/** The option that required the transcript. */
function askedBy(options: ProcessingOptions): keyof ProcessingOptions {
  if (options.enableTranscription) return 'enableTranscription'
  if (hearsCaptions(options)) return 'captions'
  if (options.chapters) return 'chapters'
  return (options.suggestClips ?? options.clips) ? 'suggestClips' : 'speakers'
}

function doubtOfSpeakers(options: ProcessingOptions, speech: Speech): string[] {
  const asked = speakersAsked(options)
  if (asked === undefined || speech.segments.length === 0) return []
  if (speech.speakersCertain === false) return [`speakers: ${unsure(asked.count)}`]
  return speakersIn(speech).length === 0 ? [`speakers: ${untold}`] : []
}

/** Writes the transcript in every format and stores the files beside the video. */
async function storeTranscript(
  { job, signal, tools }: Pick<JobContext, 'job' | 'signal' | 'tools'>,
  speech: Speech,
  durationSeconds: number,
): Promise<UploadedOutput[]> {
  const texts = await writeTranscript(speech, durationSeconds)
  return Promise.all(
    transcriptFormats.map(async (format) => {
      const file = path.join(tools.folder, `transcript.${format}`)
      await writeFile(file, texts[format])
      const kind = `transcript-${format}` as const
      const output = { kind, extension: format }
      return uploadOutput({ job, signal, file, output, onProgress: () => undefined })
    }),
  )
}

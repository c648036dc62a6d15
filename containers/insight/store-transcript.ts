import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TranscriptFile, TranscriptFormat } from '../../worker/contract/transcript.ts'
import { transcriptFormats } from '../../worker/contract/transcript.ts'
import type { UploadedOutput } from '../../worker/contract/report.ts'
import type { JobContext } from '../job/job-context.ts'
import { uploadOutput } from '../job/upload-output.ts'
import type { Speech } from '../speech/speech-provider.ts'
import { makeCaptions } from './captions/make-captions.ts'
import { writeSrt, writeVtt } from './captions/write-captions.ts'
import { textOf } from './settle-speech.ts'

const contentTypes: Record<TranscriptFormat, string> = {
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
}

/** Writes what was said in every format and puts it beside the video. */
export async function storeTranscript(
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
      const output = { kind, extension: format, contentType: contentTypes[format] }
      return uploadOutput({ job, signal, file, output, onProgress: () => undefined })
    }),
  )
}

export async function writeTranscript(
  speech: Speech,
  durationSeconds: number,
): Promise<Record<TranscriptFormat, string>> {
  const captions = await makeCaptions(speech, durationSeconds)
  const text = textOf(speech)
  const { language, confidence } = speech
  const segments = speech.segments.map(({ words, ...segment }) => ({
    ...segment,
    ...(words && { words: [...words] }),
  }))
  const file: TranscriptFile = {
    text,
    language,
    ...(confidence !== undefined && { confidence }),
    segments,
  }
  return {
    json: JSON.stringify(file),
    txt: `${text}\n`,
    srt: writeSrt(captions),
    vtt: writeVtt(captions),
  }
}

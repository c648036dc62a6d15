import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  transcriptFormats,
  type TranscriptFormat,
} from '../../../worker/contract/video/transcript.ts'
import type { UploadedOutput } from '../../../worker/contract/job/report.ts'
import type { Speech } from '../../timeline/speech.ts'
import { writeTranscript } from '../../insight/captions/write-transcript.ts'
import type { JobContext } from '../job-context.ts'
import { uploadOutput } from '../render/upload-output.ts'

const contentTypes: Record<TranscriptFormat, string> = {
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
}

/** Writes the transcript in every format and stores the files beside the video. */
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

import type { TranscriptFile, TranscriptFormat } from '../../../worker/contract/video/transcript.ts'
import type { Speech } from '../../timeline/speech.ts'
import { textOf } from '../settle-speech.ts'
import { makeCaptions } from './make-captions.ts'
import { writeSrt, writeVtt } from './write-captions.ts'

/** Writes the transcript in every format. */
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

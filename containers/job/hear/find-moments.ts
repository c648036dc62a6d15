import type { Chapter, Moments } from '../../../worker/contract/job/report.ts'
import { clipsAsked, type ClipsAsked } from '../../../worker/contract/options/moments.ts'
import { asksForMoments, type ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { findChapters } from '../../insight/moments/find-chapters.ts'
import { sentencesOf } from '../../insight/moments/sentences.ts'
import { suggestClips } from '../../insight/moments/suggest-clips.ts'
import { talkOf } from '../../insight/moments/talk.ts'
import type { Transcription } from '../../timeline/speech.ts'

type AskedMoments = Pick<ProcessingOptions, 'suggestClips' | 'chapters'>
type FoundMoments = { readonly moments?: Moments; readonly warnings: readonly string[] }

/** Chapters for the file of a film: none if none were asked for, or nothing was understood. */
export function chaptersHeard(
  { chapters }: AskedMoments,
  transcription: Transcription,
  durationSeconds: number,
): Chapter[] {
  if (!chapters || transcription.outcome !== 'heard') return []
  const { speech } = transcription
  return findChapters(talkOf(sentencesOf(speech), speech.language), durationSeconds)
}

/** Looks in what was heard, in its times, for what was asked for. */
export async function findMoments(
  options: AskedMoments,
  transcription: Transcription,
  durationSeconds: number,
): Promise<FoundMoments> {
  if (!asksForMoments(options)) return { warnings: [] }
  const asked = [
    ...(options.suggestClips ? ['suggestClips'] : []),
    ...(options.chapters ? ['chapters'] : []),
  ].join(', ')
  const why = whyNothing(transcription)
  if (transcription.outcome !== 'heard') return { warnings: [`${asked}: ${why}`.slice(0, 500)] }
  const { speech } = transcription
  const talk = talkOf(sentencesOf(speech), speech.language)
  const clips = options.suggestClips && clipsAsked(options.suggestClips)
  const found = clips && (await suggestClips(talk, clips, durationSeconds))
  const chapters = options.chapters ? findChapters(talk, durationSeconds) : undefined
  const none = clips && found?.length === 0 ? noClips(clips) : undefined
  return {
    moments: { ...(found && { clips: found }), ...(chapters && { chapters }) },
    warnings:
      talk.sentences.length === 0 ? [`${asked}: nobody speaks in this video.`] : (none ?? []),
  }
}

function noClips({ minDuration, maxDuration, about }: ClipsAsked): string[] {
  const lasting = `of whole sentences lasts from ${minDuration} to ${maxDuration} seconds`
  const naming = about === '' ? '' : ` and says "${about}"`
  return [`suggestClips: no part ${lasting}${naming}.`]
}

function whyNothing(transcription: Transcription): string {
  switch (transcription.outcome) {
    case 'heard':
    case 'unasked':
      return 'nobody listened to this video.'
    case 'failed':
      return `left out, because nothing was understood. ${transcription.message}`
    case 'too-long':
      return `the video is longer than ${transcription.mostSeconds} seconds, so it was not listened to.`
  }
}

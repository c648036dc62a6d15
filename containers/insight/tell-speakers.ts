import { rm } from 'node:fs/promises'
import { joinTexts } from '../../worker/contract/captions/unspaced.ts'
import { limits } from '../../worker/contract/limits.ts'
import type { WhoSpeaks } from '../../worker/contract/video/transcript.ts'
import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import { decodeAudio } from '../speech/local/decode-audio.ts'
import { speechSamples } from '../sound/speech-sound.ts'
import type { SpeechThread } from '../speech/local/speech-thread-client.ts'
import { cutUnits } from '../speech/local/voices/cut-units.ts'
import { voicesOnce } from '../speech/local/voices/kept-voices.ts'
import type { KeptWindows } from '../speech/kept-windows.ts'
import type { SpeechAudio } from '../speech/speech-provider.ts'
import { changeSaid, type Speech, type SpeechSegment, type Word } from '../timeline/speech.ts'
import { splitText } from './carry/carry-words.ts'
import { mostFrequent } from '../numbers/mean.ts'

/** Finds out who says each word by the sound of the voices alone. */
export type TellSpeakers = (
  speech: Speech,
  audio: SpeechAudio,
  asked: {
    readonly tools: ToolContext
    readonly count: number | undefined
    readonly kept?: KeptWindows | undefined
    readonly onShare?: (share: number) => void
  },
) => Promise<Speech>

/** Asks the voice model of this media worker, which knows no language. */
export function speakersBy(voices: SpeechThread['voices']): TellSpeakers {
  return async (speech, audio, { tools, count, kept, onShare }) => {
    const pieces = speech.segments.flatMap(piecesOf)
    if (pieces.length === 0) return speech
    const units = cutUnits(pieces)
    const stretches = units.map(({ startTime, endTime, goesOn }) => ({
      start: speechSamples(startTime),
      end: speechSamples(endTime),
      goesOn,
    }))
    const soundPath = await decodeAudio(audio, tools)
    try {
      const request = { soundPath, stretches, count }
      const told = await voicesOnce(kept, request, async () =>
        voices(request, tools.signal, onShare),
      )
      const groups = units.flatMap(({ first, end }, i) =>
        new Array<number>(end - first).fill(told.groups[i] ?? 0),
      )
      return { ...withSpeakers(speech, groups), speakersCertain: told.certain }
    } finally {
      await rm(soundPath, { force: true })
    }
  }
}

/** The default name of a speaker; numbers count from 0. */
function speakerName(number: number): string {
  return `Speaker ${number + 1}`
}

type SaidPiece = Pick<Word, 'startTime' | 'endTime'> & { readonly opens: boolean }

/** The pieces of a segment to assign to voices: its words, or parts of about a second if the words have no times. */
function piecesOf({ words = [], startTime, endTime }: SpeechSegment): SaidPiece[] {
  if (words.length > 0) return words.map((word, i) => ({ ...word, opens: i === 0 }))
  const count = Math.max(1, Math.round(endTime - startTime))
  const at = (i: number): number => startTime + ((endTime - startTime) * i) / count
  return Array.from({ length: count }, (_, i) => ({
    ...{ startTime: at(i), endTime: at(i + 1) },
    opens: i === 0,
  }))
}

function withSpeakers(speech: Speech, groups: readonly number[]): Speech {
  let at = 0
  const segments = speech.segments.flatMap((segment) => {
    const pieces = piecesOf(segment)
    const own = groups.slice(at, at + pieces.length)
    at += pieces.length
    return splitSegment(segment, steadied(pieces, own), speech.language)
  })
  return { ...speech, segments }
}

/** Inside a sentence, a shorter turn is the same voice, or too little of another one. */
const leastTurn = 1

function steadied(pieces: readonly SaidPiece[], groups: readonly number[]): number[] {
  const seconds = new Map<number, number>()
  for (const [i, { startTime, endTime }] of pieces.entries()) {
    const group = groups[i] ?? 0
    seconds.set(group, (seconds.get(group) ?? 0) + endTime - startTime)
  }
  const [main = 0] = [...seconds].sort(([, a], [, b]) => b - a)[0] ?? []
  return groups.map((group) => ((seconds.get(group) ?? 0) < leastTurn ? main : group))
}

/** Splits a segment into the turns in it; one whose words have no times goes to the speaker of most of it. */
function splitSegment(
  segment: SpeechSegment,
  groups: readonly number[],
  language: string,
): SpeechSegment[] {
  const { words = [], text } = segment
  const isOne = groups.every((group) => group === groups[0])
  if (words.length === 0 || isOne) {
    const speaker = speakerName(mostFrequent(groups))
    const said = words.map((word) => ({ ...word, speaker }))
    return [{ ...segment, ...(words.length > 0 && { words: said }), speaker }]
  }
  const texts = words.map((word) => word.text)
  const written = splitText(text, texts) ?? texts
  const turns: { group: number; from: number }[] = []
  for (const [i, group] of groups.entries()) {
    if (turns.at(-1)?.group !== group) turns.push({ group, from: i })
  }
  return turns.map(({ group, from }, i) => {
    const to = turns[i + 1]?.from ?? words.length
    const speaker = speakerName(group)
    const said = words.slice(from, to).map((word) => ({ ...word, speaker }))
    return {
      startTime: said[0]?.startTime ?? segment.startTime,
      endTime: said.at(-1)?.endTime ?? segment.endTime,
      text: joinTexts(
        written.slice(from, to).map((part) => part.trim()),
        language,
      ),
      ...{ words: said, speaker },
    }
  })
}

/** Numbers the speakers in the order in which they appear, whatever a provider calls them, and gives them their names. */
export function nameSpeakers(speech: Speech, names: readonly string[]): Speech {
  const order = [...new Set(speech.segments.flatMap(({ speaker }) => speaker ?? []))]
  const named = new Map(order.map((own, i) => [own, names[i] ?? speakerName(i)]))
  const renamed = changeSaid(speech, (said) => {
    const name = said.speaker === undefined ? undefined : named.get(said.speaker)
    return name === undefined ? said : { ...said, speaker: name }
  })
  return { ...renamed, speakers: [...new Set(named.values())] }
}

/** The speakers, for the record and for the file; nothing if they were not told apart. */
export function whoSaid(speech: Speech): WhoSpeaks {
  const found = speakersIn(speech)
  const { speakersCertain } = speech
  return found.length === 0
    ? {}
    : { speakers: found, ...(speakersCertain !== undefined && { speakersCertain }) }
}

/** The speakers in the order in which they appear, and how long each speaks. */
export function speakersIn({ segments }: Speech) {
  const seconds = new Map<string, number>()
  for (const { speaker, words = [], ...segment } of segments) {
    if (speaker === undefined) continue
    const said = words.length > 0 ? words : [segment]
    const spoken = said.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
    seconds.set(speaker, (seconds.get(speaker) ?? 0) + spoken)
  }
  return [...seconds]
    .slice(0, limits.speakers)
    .map(([name, spoken]) => ({ name, seconds: Math.round(spoken * 100) / 100 }))
}

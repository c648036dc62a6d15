import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { atMost } from '../../errors/at-most.ts'
import { guardedInput } from '../../graph/compile-args.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { isPassing } from '../../providers/provider-fault.ts'
import type { VoiceDetector, VoiceActivity } from '../../sound/pauses/voice-activity.ts'
import { retimeSpeech, withoutSpeakers, type Speech } from '../../timeline/speech.ts'
import { withSoundFile, type SampledSound } from '../local/sound-file.ts'
import { speechRate } from '../../sound/speech-sound.ts'
import { speechCoding } from '../speech-mp3.ts'
import { tellHeard } from '../share-hearing.ts'
import {
  SpeechFailure,
  type HearingHelp,
  type SpeechAudio,
  type SpeechProvider,
} from '../speech-provider.ts'
import { keptSpeech } from '../kept-speech.ts'
import { runSound } from '../local/decode-audio.ts'
import { findSpeech } from '../local/find-speech.ts'
import { quietest } from '../local/make-windows.ts'
import { unheardLanguage } from '../../../worker/contract/video/transcript.ts'
import { confidenceIn } from '../doubtful-text.ts'

type Calls = {
  readonly voices: VoiceDetector
  readonly lengths?: CallLengths
}

/** In seconds. A sound of up to `whole` is sent in one call, a longer one in calls of up to `part`. */
type CallLengths = { readonly whole: number; readonly part: number }
/**
 * Whisper takes 25 MB, the newer models of OpenAI 25 minutes, and none of them transcribes an hour within a minute. All of them
 * manage ten minutes.
 */
const usualLengths: CallLengths = { whole: 600, part: 540 }
const callsAtOnce = 4

const soundPath = 'speech-parts.f32'

/** A provider that gets a long sound in parts, several at a time, and joins its answers. */
export function hearInCalls(
  provider: SpeechProvider,
  { voices, lengths = usualLengths }: Calls,
): SpeechProvider {
  const { name } = provider
  return {
    name,
    transcribe: async (audio, tools, help = {}) => {
      const isWhole = audio.durationSeconds <= lengths.whole
      // Each call would name the speakers differently, so those of a long sound are told apart here by their voices.
      const { names, speakers } = help
      if (isWhole) return provider.transcribe(audio, tools, { names, speakers })
      try {
        const parts = await splitSound(audio, tools, { voices, longest: lengths.part })
        const { onShare = () => undefined } = help
        let [heard, before] = [0, 0]
        const tell = () => tellHeard(onShare, heard, before, parts.length)
        tell()
        const speeches = await atMost(callsAtOnce, parts, tools.signal, async (part, signal) => {
          const call = { part, tools: { ...tools, signal }, help }
          const { speech, isKept } = await hearPart(provider, call)
          heard++
          if (isKept) before++
          tell()
          return { speech, from: part.from / speechRate, to: part.to / speechRate }
        })
        return joinSpeech(speeches)
      } finally {
        await rm(path.join(tools.folder, soundPath), { force: true })
      }
    },
  }
}

async function splitSound(
  audio: SpeechAudio,
  tools: ToolContext,
  { voices, longest }: { readonly voices: VoiceDetector; readonly longest: number },
): Promise<SoundPart[]> {
  const plain = ['-map', '0:a:0', '-ar', String(speechRate), '-ac', '1', '-f', 'f32le']
  const file = path.join(tools.folder, soundPath)
  await runSound(tools, [...guardedInput(audio.path, 'mp3'), ...plain, `file:${file}`])
  const listening = voices.listen(file, tools.signal)
  try {
    const activity = await listening.finish()
    return await withSoundFile(file, async (sound) =>
      splitAtPauses(sound, activity, Math.floor(longest * speechRate)),
    )
  } finally {
    await listening.stop()
  }
}

/** Transcribes a part, unless an earlier attempt has already paid for it. */
async function hearPart(
  provider: SpeechProvider,
  {
    part,
    tools,
    help: { kept, names = [] },
  }: { readonly part: SoundPart; readonly tools: ToolContext; readonly help: HearingHelp },
): Promise<{ readonly speech: Speech; readonly isKept: boolean }> {
  const audio = await writePart(part, tools)
  try {
    const hear = async (): Promise<Speech> =>
      orAgain(async () => provider.transcribe(audio, tools, { names }), tools.signal)
    if (!kept) return { speech: await hear(), isKept: false }
    const hash = createHash('sha256').update(`${provider.name}\n${JSON.stringify(names)}\n`)
    const name = hash.update(await readFile(audio.path)).digest('hex')
    const before = (await kept.find([name])).get(name)
    if (before !== undefined) {
      return { speech: keptSpeech.parse(JSON.parse(before)), isKept: true }
    }
    const speech = await hear()
    await kept.keep(name, JSON.stringify(speech))
    return { speech, isKept: false }
  } finally {
    await rm(audio.path, { force: true })
  }
}

/** Asks a second time after a fault: hours of speech are dozens of calls, and one bad answer would lose all words. */
async function orAgain(ask: () => Promise<Speech>, signal: AbortSignal): Promise<Speech> {
  try {
    return await ask()
  } catch (error) {
    signal.throwIfAborted()
    const fault = error instanceof SpeechFailure ? error.cause : undefined
    if (isPassing(fault)) return ask()
    throw error
  }
}

async function writePart({ from, to }: SoundPart, tools: ToolContext): Promise<SpeechAudio> {
  const file = path.join(tools.folder, `speech-${from}.mp3`)
  const durationSeconds = (to - from) / speechRate
  await runSound(tools, [
    ...['-ar', String(speechRate), '-ac', '1', '-ss', String(from / speechRate)],
    ...guardedInput(path.join(tools.folder, soundPath), 'f32le'),
    ...['-t', String(durationSeconds), ...speechCoding, '-f', 'mp3', `file:${file}`],
  ])
  return { path: file, format: 'mp3', durationSeconds }
}

/** In samples. */
type SoundPart = { readonly from: number; readonly to: number }

/** A part ends at the longest pause within this last share of its greatest length. */
const lastShare = 0.25
/** The shortest pause that counts as one, in samples. */
const leastPause = 0.2 * speechRate
const quietReach = 0.1 * speechRate

const settings = { on: 0.4, off: 0.25, leastPause, leastSpeech: 0 }

/**
 * Splits a sound into parts without gaps, each of at most `longest` samples. They meet in the middle of pauses; where nobody
 * pauses for minutes, at the quietest point.
 */
export async function splitAtPauses(
  sound: SampledSound,
  { probabilities, blockSamples }: VoiceActivity,
  longest: number,
): Promise<SoundPart[]> {
  const spoken = findSpeech(probabilities, blockSamples, settings)
  const pauses = spoken.flatMap(({ end }, i): SoundPart[] => {
    const next = spoken[i + 1]?.start ?? sound.length
    return next - end >= leastPause ? [{ from: end, to: next }] : []
  })
  const parts: SoundPart[] = []
  let from = 0
  while (sound.length - from > longest) {
    const range = { from: from + Math.floor(longest * (1 - lastShare)), to: from + longest }
    const to = middleOfLongest(pauses, range) ?? (await quietestIn(sound, range))
    parts.push({ from, to })
    from = to
  }
  return [...parts, { from, to: sound.length }]
}

function middleOfLongest(pauses: readonly SoundPart[], range: SoundPart): number | undefined {
  let best: SoundPart | undefined
  for (const pause of pauses) {
    const inside = {
      from: Math.max(pause.from, range.from),
      to: Math.min(pause.to, range.to),
    }
    const length = inside.to - inside.from
    if (length >= leastPause && length > (best ? best.to - best.from : 0)) best = inside
  }
  return best && Math.floor((best.from + best.to) / 2)
}

async function quietestIn(sound: SampledSound, { from, to }: SoundPart): Promise<number> {
  const samples = await sound.read(from, to)
  return from + quietest(samples, 0, samples.length - quietReach, quietReach).at
}

/** Where the part lies in the whole sound, in seconds. */
type PartSpan = { readonly from: number; readonly to: number }
type SpeechPart = PartSpan & { readonly speech: Speech }

/** Joins the speech of parts that were transcribed one by one; its language is that of most of the text. */
export function joinSpeech(parts: readonly SpeechPart[]): Speech {
  const told = parts.map((part) => ({ ...part, chars: charsIn(part.speech) }))
  const spoken = told.filter(({ chars }) => chars > 0)
  const sure = spoken.flatMap(({ speech: { confidence }, chars }) =>
    confidence === undefined ? [] : [{ confidence, chars }],
  )
  const sureChars = sure.reduce((sum, { chars }) => sum + chars, 0)
  const sum = sure.reduce((total, { confidence, chars }) => total + confidence * chars, 0)
  const confidence = sureChars === 0 ? undefined : sum / sureChars
  const doubt = spoken.find(({ speech }) => speech.doubt !== undefined)?.speech.doubt
  return {
    language: languageOf(spoken),
    ...(confidence === undefined && doubt !== undefined ? { doubt } : confidenceIn(confidence)),
    segments: parts.flatMap((part) => inWhole(part).segments),
  }
}

function languageOf(parts: readonly (SpeechPart & { readonly chars: number })[]): string {
  const chars = new Map<string, number>()
  for (const { speech, chars: own } of parts) {
    chars.set(speech.language, (chars.get(speech.language) ?? 0) + own)
  }
  const [most] = [...chars].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? unheardLanguage
}

function charsIn({ segments }: Speech): number {
  return segments.reduce((sum, { text }) => sum + text.length, 0)
}

/**
 * The speech in times of the whole sound, kept within its part whatever times a provider gives, and without speakers, whom each
 * call names differently.
 */
function inWhole({ speech, from, to }: SpeechPart): Speech {
  return retimeSpeech(withoutSpeakers(speech), (seconds) =>
    Math.min(to, from + Math.max(0, seconds)),
  )
}

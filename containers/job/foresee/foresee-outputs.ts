import { warningsOfResults } from '../../errors/few-warnings.ts'
import { isFilm, type Output } from '../../../worker/contract/options/outputs/outputs.ts'
import type { Likely } from '../../../worker/contract/job/foresight.ts'
import type { Ladder } from '../../render/output/ladder.ts'
import { hasCover } from '../../render/output/plan-sound-file.ts'
import { fitWithin } from '../../thumbnail/fit-within.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { cutOf, named, type CutResults } from '../outputs/cut-clips.ts'
import type { FilmOutput } from '../outputs/encode-together.ts'
import { planFilm } from '../outputs/film-output.ts'
import { isPictureOutput } from '../outputs/pictures/render-pictures.ts'
import { refuseAtOnce, worksOf } from '../outputs/plan-results.ts'
import { isSoundOutput, planSoundOutput, type SoundOutput } from '../outputs/sound-output.ts'
import { isStreamOutput, openStream, planOpened } from '../outputs/stream-output.ts'
import type { TimeLeft } from '../report/time-left.ts'
import { outputsWork } from '../report/work-ahead.ts'
import type { Work } from '../report/work-kinds.ts'
import { pictureBitsOf } from '../report/encoding-effort.ts'
import { workTried, type Tried } from './as-tried.ts'
import { filmResult, roundedResult, type Assumed } from './film-result.ts'
import { foreseePictures, type Foreseen, type Placed } from './foresee-pictures.ts'
import { added, around, stretched } from './ranges.ts'
import { sampledSoundRate } from './sample-sound.ts'
import { sampleStream } from './sample-stream.ts'
import { withoutLargerCopy } from './larger-copy.ts'
import { settingOf, trackOf } from '../../graph/output-track.ts'

/** Foresees every output as it would be made, in order. */
export async function foreseeOutputs(
  footage: CutResults,
  { share: shareLeft, ...assumed }: Assumed,
  left: Pick<TimeLeft, 'encoding'>,
) {
  const { outputs, suggested } = footage
  const { context } = footage.cut
  const hasFilm = outputs.some(showsFilm)
  const films: FilmOutput[] = []
  const trials = new Map<number, Tried>()
  const foreseen: (Foreseen & { name: string })[] = []
  await refuseAtOnce(footage)
  // Films come last, because trying out how large they become may use up the time of the others.
  const inTurn = [...outputs.entries()].toSorted(
    ([, one], [, next]) => Number(showsFilm(one)) - Number(showsFilm(next)),
  )
  let filmsLeft = outputs.filter(showsFilm).length
  for (const [place, output] of inTurn) {
    if (context.trialTime) context.trialTime.films = showsFilm(output) ? filmsLeft-- : 1
    const { name } = output
    const cut = cutOf(footage, output)
    const isSuggested = suggested?.outputs.some((one) => one.name === name)
    const share = (isSuggested ? suggested?.share : undefined) ?? shareLeft
    const lengths = { ...assumed, share }
    const one = await named(footage, output, async (): Promise<Foreseen> => {
      if (isSoundOutput(output)) return soundOf(cut, output, { ...lengths, hasFilm })
      if (isStreamOutput(output)) return streamOf(cut, output, { place, lengths })
      if (isPictureOutput(output)) return foreseePictures(cut, output, { place, lengths })
      const planned = withoutLargerCopy(await planFilm(cut, output, place))
      const { result, tried } = await filmResult(planned, lengths, context.job.paces ?? {})
      films.push({ place, planned })
      trials.set(place, tried)
      return { result, warnings: planned.plan.warnings }
    })
    foreseen[place] = { name, ...one, result: roundedResult(one.result) }
  }
  const weigh = (once: Work, { place }: FilmOutput, times: number): Work => {
    const { run, runs = times } = trials.get(place) ?? {}
    const { kind, units } = workTried(once, run, left.encoding(once))
    return { kind, units: units * runs }
  }
  return {
    results: foreseen.map(({ name, result }) => ({ name, ...result })),
    warnings: warningsOfResults(foreseen),
    rendering: outputsWork(worksOf(footage, films, weigh)),
  }
}

function showsFilm(output: Output): boolean {
  return isFilm(output.outputFormat) || isStreamOutput(output)
}

/** Bits of a sample in lossless sounds, and the share of them that FLAC keeps if no sample shows it. */
const lossless = { bits: 16, ofFlac: 0.55 } as const

const none = { head: 0, second: 0 } as const
/** The bytes of tables, which count where little is heard: once, and for each second. FLAC leaves room for tags. */
const tablesOfSound = {
  ...{ mp3: none, wav: none, ogg: none },
  m4a: { head: 800, second: 190 },
  flac: { head: 8_300, second: 0 },
} as const

/** Bytes of a pixel of the still that becomes the cover of a sound, and its longest side. */
const cover = { bytes: 0.035, side: 1_280, spread: 0.6 } as const

function coverBytes({ clips: [{ facts }] }: Cut): Likely {
  const { w, h } = fitWithin(facts.video, cover.side)
  return around(w * h * cover.bytes, cover.spread)
}

/** How the sound of a file is coded, and the bits a second that it has raw. */
type Coded = {
  readonly format: string
  readonly coding: readonly string[]
  readonly raw: number
  readonly seconds: number
}

/** Bits a second. Only WAV and MP3 take the same whatever they contain. */
async function bitsOf(cut: Cut, { format, coding, raw, seconds }: Coded) {
  if (format === 'wav') return { bits: raw, spread: 0.01 }
  const asked = settingOf(coding, '-b:a')
  const kilobits = asked === undefined ? undefined : Number.parseFloat(asked)
  const seen = format === 'mp3' ? undefined : await sampledSoundRate(cut, coding, seconds)
  if (seen !== undefined) return { bits: seen, spread: 0.15 }
  return kilobits === undefined
    ? { bits: raw * lossless.ofFlac, spread: 0.3 }
    : { bits: kilobits * 1000, spread: 0.12 }
}

async function soundOf(
  cut: Cut,
  output: SoundOutput,
  { share, hasFilm }: Assumed & { readonly hasFilm: boolean },
): Promise<Foreseen> {
  const { durationSeconds, format, track, channels, warnings } = planSoundOutput(cut, output)
  const { coding } = track
  const rate = Number(settingOf(coding, '-ar'))
  const raw = rate * channels * lossless.bits
  const { bits, spread } = await bitsOf(cut, { format, coding, raw, seconds: durationSeconds })
  const { head, second } = tablesOfSound[format]
  const tables = head + second * durationSeconds
  const heard = stretched(around((bits * durationSeconds) / 8 + tables, spread), share)
  return {
    result: {
      ...{ format, picture: null, whyEncoded: null, sound: 'encoded' },
      duration: stretched(durationSeconds, share),
      sizeInBytes: hasFilm && hasCover(format) ? added(heard, coverBytes(cut)) : heard,
    },
    warnings,
  }
}

async function streamOf(
  cut: Cut,
  output: Output,
  { place, lengths: { share } }: Placed,
): Promise<Foreseen> {
  const opened = await openStream(cut, output, place)
  const { rungs, files, fps, warnings, durationSeconds: seconds } = planOpened(opened)
  const [largest] = rungs
  const { facts } = cut.clips[0]
  const coding = files.flatMap(({ tracks }) => trackOf(tracks, 'audio')?.coding ?? [])
  const isHeard = coding.length > 0
  const sound = isHeard ? await streamSound(cut, coding, seconds) : around(0, 0)
  const pictures =
    (await sampleStream(cut, output, { opened, seconds })) ?? usualStream(rungs, facts, seconds)
  const packets = (rungs.length * fps + (isHeard ? tablesOfStream.soundPackets : 0)) * seconds
  const tables = tablesOfStream.file * files.length + tablesOfStream.packet * packets
  return {
    result: {
      ...{ format: 'hls', picture: 'encoded', whyEncoded: null },
      sound: isHeard ? 'encoded' : 'none',
      ...{ width: largest.width, height: largest.height },
      duration: stretched(seconds, share),
      sizeInBytes: stretched(added(added(pictures, sound), around(tables, 0.1)), share),
    },
    warnings,
  }
}

/** The bytes of the playlist and the head of each file of a stream, and what its fragments say of each packet. */
const tablesOfStream = { file: 1_300, packet: 10, soundPackets: 47 } as const

async function streamSound(cut: Cut, coding: readonly string[], seconds: number): Promise<Likely> {
  const { bits, spread } = await bitsOf(cut, { format: 'hls', coding, raw: 0, seconds })
  return around((bits * seconds) / 8, spread)
}

/** Bits a second for each pixel of a size, in footage that has as many pixels. */
const streamBitsOfPixel = 2.5

/** The bytes of a stream's pictures, if no sample shows them. */
function usualStream(rungs: Ladder['rungs'], facts: MediaFacts, seconds: number): Likely {
  const pixels = rungs.reduce((sum, { width, height }) => sum + width * height, 0)
  const { width, height } = facts.video
  const ofSource = Math.min(1, pictureBitsOf(facts) / streamBitsOfPixel / (width * height))
  return around((pixels * streamBitsOfPixel * ofSource * seconds) / 8, 0.6)
}

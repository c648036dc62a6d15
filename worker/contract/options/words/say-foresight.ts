import { sayRoughly } from '../../video/say-left.ts'
import type { Foresight, ForeseenResult, Likely } from '../../job/foresight.ts'
import type { Plan } from '../../video/video-plan.ts'
import { formatName } from '../../video/format-name.ts'

type ForeseenPlan = Foresight & Pick<Plan, 'startsIn' | 'price' | 'reusedFrom' | 'wordsKept'>

/** Describes what would become of a request, line by line, for people. */
export function sayForesight(plan: ForeseenPlan): string[] {
  const { results, warnings, refusal, unknown, reusedFrom, wordsKept } = plan
  if (reusedFrom !== null)
    return [sayReused(reusedFrom), ...results.map(sayResult), 'Costs nothing']
  return [
    ...(refusal ? [`It would fail: ${refusal.message}`] : []),
    ...results.map(sayResult),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...unknown.map((what) => `Not known yet: ${what}`),
    ...(wordsKept ? ['The words of this source were heard before, and are not heard again'] : []),
    ...(refusal || plan.seconds.most === 0 ? [] : [sayTime(plan), sayPrice(plan)]),
  ]
}

export function sayReused(videoId: string): string {
  return `Nothing is made: the answer is the result of ${videoId}, which was made of the same`
}

function sayResult(result: ForeseenResult): string {
  const { name, format, width, height, duration, sizeInBytes, sound, picture, whyEncoded } = result
  const facts = [
    formatName(format),
    ...(width && height ? [`${width} × ${height}`] : []),
    ...(duration.most > 0 ? [between(duration, (value) => `${short(value)} s`)] : []),
    between(sizeInBytes, sayBytes),
    ...(picture ? [`picture ${picture}${whyEncoded ? ` (${whyEncoded})` : ''}`] : []),
    ...(sound === 'none' ? [] : [`sound ${sound}`]),
  ]
  return `${name ? `${name}: ` : ''}${facts.join(', ')}`
}

function sayTime({ startsIn, seconds, cpuSeconds }: ForeseenPlan): string {
  const begins =
    startsIn === null
      ? 'Begins when a media worker is free'
      : startsIn.likely < 1
        ? 'Begins at once'
        : `Begins in about ${sayRoughly(startsIn.likely)}`
  const takes = between(seconds, sayTimeOf)
  const processor = between(cpuSeconds, sayTimeOf)
  return `${begins}, takes ${takes}; ${processor} of a processor`
}

/** In seconds, so that the likely value differs from the least and the most; in minutes they would look alike. */
function sayTimeOf(seconds: number): string {
  return seconds < 57.5 ? `${Math.max(1, Math.round(seconds))} s` : sayRoughly(seconds)
}

function sayPrice({ price }: ForeseenPlan): string {
  return `Costs ${between(price, (value) => (value < 0.01 ? 'less than 0.01' : value.toFixed(2)))}`
}

/** `about 4 s (3 s to 6 s)`, or `4 s` if that is certain. */
function between({ likely, least, most }: Likely, say: (value: number) => string): string {
  const [middle, low, high] = [say(likely), say(least), say(most)]
  return low === high ? middle : `about ${middle} (${low} to ${high})`
}

function short(value: number): string {
  return value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value))
}

function sayBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`
  return bytes < 1e9 ? `${short(bytes / 1e6)} MB` : `${short(bytes / 1e9)} GB`
}

import type { Child } from 'hono/jsx'
import { isHls } from '../../contract/options/outputs/output-hls.ts'
import { isFilm } from '../../contract/options/outputs/outputs.ts'
import { formatSeconds, formatBytes, formatCount, formatMoment } from '../design/formats.ts'
import { CopyableId, FactList, RelativeTime } from '../design/values.tsx'
import type { ShownPlan } from './read-plan.ts'
import type { VideoView } from './read-video-view.ts'
import { formatName } from '../../contract/video/format-name.ts'

type Fact = {
  name: string
  before?: string | undefined
  after?: string | undefined
  more?: string | undefined
}

/** The facts about source and result, and their addresses in the API. */
export function Facts({ view, now }: { view: VideoView; now: number }) {
  const { record, job } = view
  const { reusedFrom, filesExpireAt } = record
  const facts: [string, Child][] = [
    ...compare(view).map((fact): [string, Child] => [fact.name, <Change fact={fact} />]),
    ['Video', <CopyableId id={record.videoId} />],
    ['Job', <CopyableId id={job.jobId} />],
    ['Created', <RelativeTime at={record.createdAt} now={now} />],
  ]
  if (reusedFrom !== undefined) {
    const same = <a href={`/app/videos/${reusedFrom}`}>{reusedFrom}</a>
    facts.push(['Same result as', <>{same}, so it was not made again</>])
  }
  if (filesExpireAt !== undefined) {
    const until = <time datetime={filesExpireAt}>{formatMoment(filesExpireAt)}</time>
    facts.push(['Files kept', <>until {until}</>])
  }
  return <FactList facts={facts} />
}

function Change({ fact: { before, after, more } }: { fact: Fact }) {
  return (
    <>
      {before !== undefined && before !== after && (
        <>
          <span class="before">{before}</span>
          {after !== undefined && <span aria-label="became"> → </span>}
        </>
      )}
      {after !== undefined && <strong>{after}</strong>}
      {more !== undefined && <span class="soft"> {more}</span>}
    </>
  )
}

/** The facts known of both source and result, or of one of them. */
function compare({ record, plan }: VideoView): Fact[] {
  const made = record.videoMetadata
  const film = record.outputs?.find(
    ({ outputFormat }) => isFilm(outputFormat) || isHls(outputFormat),
  )
  const { outputFormat } = film ?? record
  const facts: (Fact | undefined)[] = [
    sourcesFact(plan),
    {
      name: 'Picture',
      before:
        plan &&
        onlyOne(plan, ({ width, height, averageFps }) => picture(width, height, averageFps)),
      after: made && picture(made.width, made.height, made.fps),
    },
    {
      name: 'Length',
      before: plan && formatSeconds(sum(plan, 'durationSeconds')),
      after: made && formatSeconds(made.duration),
      more: lengthText(record),
    },
    ...(made ? coveredFacts(record) : []),
    loudnessFact(plan),
    {
      name: 'Size',
      before: plan && formatBytes(sum(plan, 'sizeBytes')),
      after: made && formatBytes(made.sizeInBytes),
    },
    {
      name: 'Format',
      before: plan && onlyOne(plan, ({ format }) => formatWord(format)),
      after: made && outputFormat && formatName(outputFormat),
    },
  ]
  return facts.filter(
    (fact) => fact !== undefined && (fact.before ?? fact.after) !== undefined,
  ) as Fact[]
}

const picture = (width: number, height: number, fps: number) =>
  `${width}×${height}, ${Number(fps.toFixed(2))} fps`

/** The usual name of a format: media programs give all of them, as in "mov,mp4,m4a,3gp". */
const formatWord = (format: string) => formatName(format.split(',')[0] ?? format)

function onlyOne(plan: ShownPlan, describe: (source: ShownPlan['sources'][number]) => string) {
  const different = new Set(plan.sources.map(describe))
  return different.size === 1 ? [...different][0] : undefined
}

const sum = (plan: ShownPlan, name: 'durationSeconds' | 'sizeBytes') =>
  plan.sources.reduce((total, source) => total + source[name], 0)

function sourcesFact(plan: ShownPlan | undefined): Fact | undefined {
  if (!plan || plan.sources.length === 1) return undefined
  return { name: 'Joined', after: formatCount(plan.sources.length, 'clip') }
}

/** Why the result's length differs from the source's. */
function lengthText({ removed, speed = 1 }: VideoView['record']): string | undefined {
  const parts = [
    [removed?.silenceSeconds, 'pauses'],
    [removed?.segmentsSeconds, 'chosen parts'],
    [removed?.fillersSeconds, 'fillers'],
    [removed?.textSeconds, 'words'],
  ] as const
  const gone = parts.flatMap(([seconds = 0, what]) =>
    seconds > 0 ? `${formatSeconds(seconds)} of ${what}` : [],
  )
  const reasons = [
    ...(gone.length > 0 ? [`without ${gone.join(' and ')}`] : []),
    ...(speed === 1 ? [] : [`at ${speed} times the speed`]),
  ]
  return reasons.length === 0 ? undefined : `(${reasons.join(', ')})`
}

function coveredFacts({ bleep, covered }: VideoView['record']): Fact[] {
  const { words = 0, faces } = covered ?? {}
  const unseen = faces && faces.uncertainSeconds > 0 && formatSeconds(faces.uncertainSeconds)
  return [
    ...(bleep && covered ? [{ name: 'Covered words', after: String(words) }] : []),
    ...(faces
      ? [
          {
            ...{
              name: 'Covered faces',
              after: faces.tracks === 0 ? 'none' : formatSeconds(faces.seconds),
            },
            ...(unseen && { more: `(${unseen} where one was lost from sight, so look there)` }),
          },
        ]
      : []),
  ]
}

function loudnessFact(plan: ShownPlan | undefined): Fact | undefined {
  const more = plan?.sound?.hasNoiseRemoved ? '(noise removed)' : undefined
  const changed = loudnessOf(plan)
  if (changed) return { name: 'Loudness', ...changed, more }
  return more ? { name: 'Sound', after: 'Cleaned', more } : undefined
}

/** How loud the source is; undefined if no step had to measure it. */
export function loudnessOf(plan: ShownPlan | undefined) {
  const { loudness = null, gainDb = null } = plan?.sound ?? {}
  if (loudness === null || gainDb === null) return undefined
  return { before: lufs(loudness), after: lufs(loudness + gainDb) }
}

const lufs = (value: number) => `${value < 0 ? '−' : ''}${Math.abs(Math.round(value))} LUFS`

import type { JobRecord } from '../../../contract/job/job-record.ts'
import type { TimedWork } from '../../../contract/video/video-state.ts'
import { CodeBlock } from '../../design/code-block.tsx'
import { formatSeconds, formatMoment } from '../../design/formats.ts'
import { Badge, type Tone } from '../../design/status-badge.tsx'
import { phaseWords } from '../phase-words.ts'
import type { ShownPart } from '../../../contract/job/shown-part.ts'
import { readDivision } from '../read-plan.ts'

type JobAttempt = JobRecord['attempts'][number]

/** The work done for a video, when, and how long it took. */
export function JobPanel({ job }: { job: JobRecord }) {
  const waited =
    job.startedAt === null ? undefined : Date.parse(job.startedAt) - Date.parse(job.createdAt)
  return (
    <>
      <p class="soft">
        {waited === undefined
          ? 'No media worker has taken it yet.'
          : `It waited ${formatSeconds(waited / 1000)} for a media worker.`}
      </p>
      {job.attempts.toReversed().map((attempt) => (
        <AttemptSection attempt={attempt} isOnly={job.attempts.length === 1} />
      ))}
    </>
  )
}

const outcomes: Record<NonNullable<JobAttempt['outcome']>, { word: string; tone: Tone }> = {
  succeeded: { word: 'Succeeded', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  canceled: { word: 'Canceled', tone: 'idle' },
  released: { word: 'Handed back', tone: 'idle' },
  lost: { word: 'Lost', tone: 'bad' },
}
const atWork = { word: 'Working', tone: 'busy' } as const

function AttemptSection({ attempt, isOnly }: { attempt: JobAttempt; isOnly: boolean }) {
  const { phases, commands, plan, outcome, startedAt } = attempt
  return (
    <section class="attempt">
      <h3>
        {isOnly ? 'The attempt' : `Attempt ${attempt.attempt}`}{' '}
        <Badge {...(outcome === null ? atWork : outcomes[outcome])} />{' '}
        <span class="soft">{formatMoment(startedAt)}</span>
      </h3>
      {phases.length > 0 && <Axis phases={phases} />}
      <FilmParts attempt={attempt} />
      {plan !== null && plan !== undefined && (
        <details>
          <summary>Plan</summary>
          <CodeBlock label="Plan of the rendering" code={JSON.stringify(plan, null, 2)} />
        </details>
      )}
      {commands.length > 0 && <Commands commands={commands} />}
    </section>
  )
}

const units = 1000

/** The phases on one axis, with the same in words. */
function Axis({ phases }: { phases: JobAttempt['phases'] }) {
  const begins = Math.min(...phases.map(({ startedAt }) => Date.parse(startedAt)))
  const ends = Math.max(
    ...phases.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs),
  )
  const scale = units / Math.max(1, ends - begins)
  return (
    <ol class="axis">
      {phases.map(({ name, startedAt, durationMs }) => (
        <li>
          <span>{phaseWords[name]}</span>
          <svg viewBox={`0 0 ${units} 12`} preserveAspectRatio="none" aria-hidden="true">
            <rect
              class={`bar ${besides.has(name) ? 'beside' : ''}`}
              x={Number(((Date.parse(startedAt) - begins) * scale).toFixed(2))}
              y={0}
              width={Math.max(2, Number((durationMs * scale).toFixed(2)))}
              height={12}
            />
          </svg>
          <span class="numbers">{formatSeconds(durationMs / 1000)}</span>
        </li>
      ))}
    </ol>
  )
}

/** Work that goes on beside the phases. */
const besides: ReadonlySet<TimedWork> = new Set(['transcribing', 'analysing', 'waiting'])

/** How many commands are shown: hundreds would be most of the page, and the API has all of them. */
const mostShown = 20

function Commands({ commands }: { commands: JobAttempt['commands'] }) {
  const shown = commands.slice(0, mostShown)
  const text = shown
    .map(({ program, args, durationMs, exitCode }) => {
      const end = exitCode === 0 ? '' : `, exit code ${exitCode ?? 'none'}`
      return `# ${formatSeconds(durationMs / 1000)}${end}\n${[program, ...args].map(quoted).join(' ')}`
    })
    .join('\n\n')
  const more = commands.length - shown.length
  return (
    <details>
      <summary>
        Commands <span class="soft">{commands.length}</span>
      </summary>
      <CodeBlock
        label={more > 0 ? `The first ${mostShown} of ${commands.length}` : 'Commands'}
        code={text}
      />
    </details>
  )
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`
}

/** The parts of a film that other media workers rendered, or why it was rendered whole; nothing if it was never a candidate. */
function FilmParts({ attempt: { parts, plan } }: { attempt: JobRecord['attempts'][number] }) {
  const division = readDivision(plan)
  if (division === undefined && parts.length === 0) return null
  if (division !== undefined && typeof division === 'string')
    return <p class="soft">One media worker rendered all of it: {division}.</p>
  const count = Math.max(division ?? 0, ...parts.map(({ n }) => n + 1))
  return (
    <div class="parts">
      <p class="soft">{sayParts(count, parts)}</p>
      <svg viewBox={`0 0 ${count} 1`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: count }, (_, n) => (
          <rect
            class={parts.find((part) => part.n === n)?.state ?? 'own'}
            x={n + 0.05}
            y={0}
            width={0.9}
            height={1}
          />
        ))}
      </svg>
    </div>
  )
}

const words: Record<ShownPart['state'], string> = {
  stored: 'rendered elsewhere',
  running: 'being rendered elsewhere',
  failed: 'failed elsewhere',
  stopped: 'not needed any more',
}

/** `The film has 12 parts: 5 rendered elsewhere, 1 failed elsewhere. 2 were given to a media worker more than once.` */
function sayParts(count: number, parts: readonly ShownPart[]): string {
  const said = Object.entries(words).flatMap(([state, word]) => {
    const some = parts.filter((part) => part.state === state).length
    return some === 0 ? [] : [`${some} ${word}`]
  })
  const again = parts.filter(({ tries }) => tries > 1).length
  const list = said.length === 0 ? 'none rendered elsewhere' : said.join(', ')
  const repeated = again === 0 ? '' : ` Given to a media worker more than once: ${again}.`
  return `The film has ${count} parts: ${list}.${repeated}`
}

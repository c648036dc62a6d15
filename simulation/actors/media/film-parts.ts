import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type {
  PartJob,
  partsAnswers,
  PartsRequest,
  PartTry,
  ToldPart,
  WorkSpec,
} from '../../../worker/contract/job/part-job.ts'
import type { JobHold, StartedJob } from '../../../containers/job/job-context.ts'
import type { PartEnding } from '../../../containers/job/part/part-reporter.ts'
import type { World } from '../../engine/world.ts'
import { forgePartReports } from '../forgery.ts'
import { madeParts } from './made-parts.ts'
import { storeParts, type StoringParts } from './store-parts.ts'

export type FilmCode = StoringParts & {
  askOfParts: <Answer>(
    of: { job: MediaJob; signal: AbortSignal },
    body: PartsRequest,
    schema: z.ZodType<Answer>,
  ) => Promise<Answer>
  partsAnswers: typeof partsAnswers
  PartReporter: new (options: { job: PartJob; log: () => void; onStop: () => void }) => {
    progress(encoded: { pictures: number; bytes: number }): void
    finish(ending: PartEnding): Promise<void>
    close(): void
  }
  JobStop: new (reason: 'stopped' | 'shutdown') => Error & { stopReason: string }
  waitOut: (ms: number) => Promise<void>
}

/** The name of a film that is made in parts if there are slots for them. */
export const filmInParts = 'film-in-parts'
/** The same, but its sound is stored while a sweep runs, and its parts take a while. */
export const slowFilmInParts = `slow-${filmInParts}`

/** The same, but its first part is done long before the second. */
export const unevenFilmInParts = `uneven-${filmInParts}`

const mostParts = 2
/** Real media workers ask every second. */
const askMs = 3_000
/** Longer than the time between two sweeps of such files. */
const slowMs = 11 * 60_000
/** Longer than a slot may be lent in vain. */
const aloneMs = 100_000
const perSecond = 16_000
const fps = 25
/** At the longest, more than a lease. */
const slowSeconds = [20, 120]
const unevenSeconds = [1, 50, 100]
/** Each part reads one of them. */
const sounds = [
  { name: 'hear-0.f32', text: 'the sound of a film' },
  { name: 'hear-1.f32', text: 'the rest of the sound of a film' },
] as const
/** How often somebody asks where to store a file of another size, and then of the right one. */
const sizedWrongly = 0.1
/** How often a lead that has waited for its answer asks for the same part once more, and gets two answers. */
const askedTwice = 0.3

type Leading = { job: MediaJob; signal: AbortSignal }
type More = () => Promise<PartTry[]>

/** Has other media workers make parts of the film, if there are any, and checks what they made. */
export async function leadFilm(world: World, code: FilmCode, leading: Leading): Promise<void> {
  const { job, signal } = leading
  const { fence } = job
  const { partsAnswers: answers } = code
  const { idle } = await code.askOfParts(leading, { ask: 'idle', fence }, answers.idle)
  if (idle === 0) return
  for (const sound of sounds) await storeSound(world, code, { ...leading, sound })
  const isNamed = (name: string): boolean => job.inputs.some(({ url }) => url.includes(name))
  const isSlow = isNamed(slowFilmInParts)
  const isUneven = isNamed(unevenFilmInParts)
  const parted = isSlow ? slowSeconds : isUneven ? unevenSeconds : []
  if (isSlow) await code.waitOut(slowMs)
  signal.throwIfAborted()
  const give = async (n: number): Promise<PartTry[]> => {
    const part = { n, try: 1 }
    const files = [{ name: soundOf(n).name, from: 'stored' } as const]
    const seconds = parted[n] ?? 1
    const asked = { ask: 'give', fence, ...part, spec: specOf(job, n, seconds), files } as const
    const told: boolean[] = []
    const ask = async () => {
      const { taken } = await code.askOfParts(leading, asked, answers.give)
      noteLead(world, job, `asks who takes part ${n}: ${taken ? 'somebody' : 'nobody'} does`)
      told.push(taken)
      return taken
    }
    if (world.draw(`asks twice for part ${n} of ${job.jobId}/${fence}`) >= askedTwice)
      return (await ask()) ? [part] : []
    const isAtOnce = world.draw(`asks at once for part ${n} of ${job.jobId}/${fence}`) < 0.5
    if (isAtOnce) await Promise.all([ask(), ask()])
    else for (const again of [ask, ask]) await again()
    madeParts(world).toldTwice({ ...part, jobId: job.jobId, fence }, told)
    return told.includes(true) ? [part] : []
  }
  const given: PartTry[] = []
  const first = Math.min(idle, mostParts)
  for (let n = 0; n < first; n++) given.push(...(await give(n)))
  // Another part may have the slot in which the last was made, if nobody waits for it.
  const more = (isSlow || isUneven) && given.length > 0 ? async () => give(first) : undefined
  await untilMade(world, code, { ...leading, given, more })
}

function noteLead(world: World, { jobId, fence }: MediaJob, what: string): void {
  world.history.note(`lead ${jobId}/${fence}`, what)
}

function howOf(part: ToldPart): string {
  return part.state === 'failed' ? `has failed: ${part.why}` : `is ${part.state}`
}

type Sound = (typeof sounds)[number]

function soundOf(n: number): Sound {
  return sounds[n % 2 === 0 ? 0 : 1]
}

async function storeSound(
  world: World,
  code: FilmCode,
  { job, signal, sound: { name, text } }: Leading & { sound: Sound },
): Promise<void> {
  const [{ fence }, { partsAnswers: answers }] = [job, code]
  const askFor = async (sizeBytes: number) =>
    code.askOfParts({ job, signal }, { ask: 'store', fence, name, sizeBytes }, answers.store)
  if (world.draw(`sizes ${name} of ${job.jobId}/${fence} wrongly`) < sizedWrongly)
    await askFor(text.length + 1)
  const parts = await storeParts(code, await askFor(text.length), { text, signal })
  const stored: PartsRequest = { ask: 'stored', fence, name, parts }
  await code.askOfParts({ job, signal }, stored, answers.stored)
}

async function untilMade(
  world: World,
  code: FilmCode,
  { job, signal, given, more }: Leading & { given: readonly PartTry[]; more: More | undefined },
): Promise<void> {
  let open = given
  let next = more
  while (open.length > 0) {
    await code.waitOut(askMs)
    signal.throwIfAborted()
    const { fence } = job
    const asked: PartsRequest = { ask: 'state', fence, parts: [...open] }
    const told = await code.askOfParts({ job, signal }, asked, code.partsAnswers.state)
    for (const part of told.parts) {
      const of = { ...part, jobId: job.jobId, fence }
      if (part.state !== 'running') noteLead(world, job, `hears that part ${part.n} ${howOf(part)}`)
      if (part.state === 'failed') madeParts(world).toldFailure(of, part.why)
      if (part.state === 'running') madeParts(world).toldProgress(of, part.pictures)
      if (part.state !== 'stored') continue
      const file = await code.fetchOut(part.url, { signal })
      if (file.ok && (await file.text()) !== madeOf(job.jobId, fence, part)) {
        world.break(`part ${part.n} of ${job.jobId} is not what its media worker made`)
      }
    }
    open = told.parts.filter(({ state }) => state === 'running')
    if (open.length === 0 && next) {
      open = await next()
      next = undefined
    }
    // The lead may stop waiting, as when it was quicker itself.
    if (open.length > 0 && world.draw(`patience for ${job.jobId}/${fence}`) < 0.2) {
      noteLead(world, job, 'does not wait any longer for its parts')
      const stop: PartsRequest = { ask: 'stop', fence, parts: [...open] }
      await code.askOfParts({ job, signal }, stop, code.partsAnswers.stop)
      // Its own half takes a while, in which it has no use for the slots of the others.
      if (world.draw(`goes on alone with ${job.jobId}/${fence}`) < 0.4) await code.waitOut(aloneMs)
      return
    }
  }
}

/** The sound of a film, or the pictures of a slow one. The service only passes the description on. */
function specOf(job: MediaJob, n: number, seconds: number): WorkSpec {
  const isOfPictures = job.inputs.some(({ url }) => url.includes(slowFilmInParts))
  return isOfPictures ? picturesOf(n, seconds) : soundsOf(job, n, seconds)
}

function picturesOf(n: number, seconds: number): WorkSpec {
  const { name, text } = soundOf(n)
  const input = {
    demuxer: 'rawvideo',
    isLooped: false,
    holdsSize: false,
    keepsTurn: false,
  } as const
  return {
    ...{ version: 1, n, files: [{ name, role: 'source', sizeBytes: text.length }], texts: [] },
    ...{ nodes: [{ type: 'input', file: name, ...input }], picture: { node: 0, pad: 0 } },
    ...{ zeroSeconds: 0, before: 0, count: seconds * fps, after: 0, encoded: [0, null] },
    ...{ edges: [], keys: [], fps, hasConstantRate: true, coding: [] },
  }
}

function soundsOf({ jobId }: MediaJob, n: number, seconds: number): WorkSpec {
  const length = seconds * perSecond
  const pieces = [{ start: 0, end: perSecond }]
  const model = createHash('sha256').update(jobId).digest('hex')
  const files: [{ name: string }] = [{ name: soundOf(n).name }]
  return { kind: 'hear', version: 1, files, from: 0, length, pieces, model } as const
}

function madeOf(jobId: string, fence: number, { n, try: number }: PartTry): string {
  return `part ${n} of ${jobId} at fence ${fence}, try ${number}`
}

type PartWork = Harmed & { job: PartJob; hold: JobHold }
type Harmed = {
  /** Whether the process lives that makes the part. */
  isAlive: () => boolean
  /** Called when the process freezes without telling anyone. */
  onSilence: () => void
  /** Called when the process dies during its work. */
  onDeath: () => void
}

/** Makes one part, as a media worker does to which the lead has given it. */
export function startPart(
  world: World,
  code: FilmCode,
  { job, hold: { controller }, ...harmed }: PartWork,
): StartedJob {
  const { signal } = controller
  const onStop = () => controller.abort(new code.JobStop('stopped'))
  const reporter = new code.PartReporter({ job, log: () => undefined, onStop })
  const ending = makePart(world, code, { job, signal, reporter, ...harmed }).catch(
    (error: unknown) => endingOf(code, signal.aborted ? signal.reason : error),
  )
  const done = ending.then(async (how) => {
    world.history.note(`part ${job.jobId}/${job.fence}/${job.n}`, `ends: ${how?.type ?? 'stopped'}`)
    return how === undefined ? reporter.close() : reporter.finish(how)
  })
  return {
    worked: ending.then(() => undefined),
    done,
    trace: () => ({ phases: [], commands: [] }),
    msLeft: () => Infinity,
    diskBytes: async () => 0,
    tellPlace: () => undefined,
  }
}

type Making = Harmed & {
  job: PartJob
  signal: AbortSignal
  reporter: InstanceType<FilmCode['PartReporter']>
}

async function makePart(
  world: World,
  code: FilmCode,
  { job, signal, reporter, isAlive, onSilence, onDeath }: Making,
): Promise<PartEnding> {
  const { jobId, fence, n, try: number, files, reports, spec } = job
  const key = `part ${n} of ${jobId}/${fence}`
  madeParts(world).begins(job, isAlive)
  for (const { url } of files) {
    const file = await code.fetchOut(url, { signal })
    if (!file.ok || (await file.text()) !== soundOf(n).text)
      throw new Error('The file is not there.')
  }
  reporter.progress({ pictures: 5, bytes: 5 })
  if (world.faults.strikes('media worker freezes', key)) onSilence()
  else if (world.faults.strikes('media worker dies', key)) onDeath()
  const slow = ('kind' in spec ? spec.length / perSecond : spec.count / fps) - 1
  const ms = 500 + slow * 1_000 + 20_000 * world.draw(key) ** 4
  await code.waitOut(ms / 2)
  reporter.progress({ pictures: 8, bytes: 8 })
  await forgePartReports(world, code, { job, signal })
  await code.waitOut(ms / 2)
  signal.throwIfAborted()
  if (world.faults.strikes('media worker shut down', key)) throw new code.JobStop('shutdown')
  if (world.faults.strikes('work fails', key)) throw new Error('The encoder stopped.')
  const text = madeOf(jobId, fence, job)
  const askFor = async (sizeBytes: number) => {
    const body = { fence, n, try: number, sizeBytes }
    return code.signedPost({ url: `${reports.url}/outputs`, key: reports.key, body, signal })
  }
  if (world.draw(`sizes ${key} wrongly`) < sizedWrongly)
    await askFor(text.length + 1).catch(() => undefined)
  const answer = await askFor(text.length)
  if (code.isUnwanted(answer.status)) throw new code.JobStop('stopped')
  if (!answer.ok) throw new Error(`The request for addresses got ${answer.status}`)
  const grant = code.outputGrant.parse(await answer.json())
  const parts = await storeParts(code, grant, { text, signal })
  const sha256 = createHash('sha256').update(text).digest('hex')
  // Some report another size than that of the file they stored.
  const isWrong = world.faults.strikes('work fails', `size of ${key}`)
  if (!isWrong) madeParts(world).isWhole(job)
  const result = {
    sizeBytes: text.length + (isWrong ? 1 : 0),
    sha256,
    pictures: 10,
    cpuMs: 500,
    edges: [],
  }
  return { type: 'done', result, parts }
}

function endingOf({ JobStop }: FilmCode, error: unknown): PartEnding | undefined {
  if (error instanceof JobStop) {
    return error.stopReason === 'shutdown' ? { type: 'released' } : undefined
  }
  return { type: 'failed', message: error instanceof Error ? error.message : String(error) }
}

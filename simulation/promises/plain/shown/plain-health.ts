import { formOf } from '../../../actors/file-form.ts'
import { readMetrics } from '../plain-operator.ts'
import type { Plainly } from '../plain-parts.ts'

/** What the check of the database asks. */
const question = 'SELECT 1 FROM accounts LIMIT 1'
/** Requests within ten seconds share one answer. */
const sharedMs = 11_000
/** One that tells of a fault is shared for less time. */
const faultSharedMs = 3_000
/** Isolates have an answer each. */
const asked = 4
/** How many requests each isolate answers. */
const often = 12
/** What only those ask that list presets. */
const listed = 'from "presets"'
/** By then a fault of the database that nobody meets any more is forgotten. */
const forgottenMs = 3_660_000
/** And that a bucket takes nothing. */
const refusedMs = 121_000

/** Fewer in a row prove nothing: a container may be refused while another one is being started. */
const tellingRefusals = 3
/** Longer than a video takes. */
const idleSeconds = 7_200

type Checks = Record<string, { status: string; message?: string } | undefined>

/** Health tells within seconds that the database does not answer, and that it answers again. */
export async function judgeHealth(parts: Plainly): Promise<void> {
  await judgeQuestion(parts)
  await judgeMet(parts)
  await judgeReadOnly(parts)
  await judgeRefused(parts)
}

async function judgeQuestion({ own, database, disk }: Plainly): Promise<void> {
  const see = async (status: number, failing: readonly string[]): Promise<void> => {
    for (let i = 0; i < asked; i++) {
      const answer = await own.ask(['GET', '/health'])
      const { status: said, checks = {} } = JSON.parse(answer?.text ?? '{}') as {
        status?: string
        checks?: Checks
      }
      own.same('what health tells of', Object.keys(checks).toSorted(), partsOf(disk))
      const ill = Object.keys(checks).filter((name) => checks[name]?.status === 'failing')
      own.same('what fails', ill, failing)
      own.same('the answer about health', [answer?.status, said], [status, saidOf(status)])
    }
  }
  await own.pause(sharedMs)
  await see(200, [])
  database.refuses = question
  await own.pause(sharedMs)
  await see(503, ['database'])
  database.refuses = undefined
  await own.pause(faultSharedMs)
  await see(200, [])
}

async function isToldOf(part: string, { own }: Plainly): Promise<boolean> {
  const answers: Checks[] = []
  for (let i = 0; i < often; i++) {
    const answer = await own.ask(['GET', '/health'])
    answers.push((JSON.parse(answer?.text ?? '{}') as { checks?: Checks }).checks ?? {})
  }
  return answers.some((checks) => checks[part]?.status === 'failing')
}

/** Health tells that the bucket does not take what is sent, although it can be read. */
async function judgeReadOnly(parts: Plainly): Promise<void> {
  const { own, bucket } = parts
  const form = formOf({ videoName: 'nowhere' }, 'a film that no bucket takes')
  bucket.isReadOnly = true
  for (let i = 0; i < often; i++) {
    const answer = await own.ask(['POST', '/v1/videos/upload', form])
    own.same('a file that no bucket takes', (answer?.status ?? 0) < 500, false)
  }
  own.same('whether health tells that nothing is taken', await isToldOf('storage', parts), true)
  bucket.isReadOnly = false
  await own.pause(refusedMs)
  own.same('whether health tells it for good', await isToldOf('storage', parts), false)
}

/** Health tells what requests have met, although its own question to the database is answered. */
async function judgeMet(parts: Plainly): Promise<void> {
  const { own, database } = parts
  const isTold = async () => isToldOf('database', parts)
  database.refuses = listed
  for (let i = 0; i < often; i++) {
    const answer = await own.ask(['GET', '/v1/presets'])
    own.same('the answer of a database that is damaged', (answer?.status ?? 0) < 500, false)
  }
  own.same('whether health tells what requests have met', await isTold(), true)
  database.refuses = undefined
  await own.pause(forgottenMs)
  own.same('whether health tells it for good', await isTold(), false)
}

/** Health tells that no container can be started once several were refused in a row, until one starts. */
async function judgeRefused(parts: Plainly): Promise<void> {
  const { own, containers, database } = parts
  const isBusy = (): boolean =>
    database.read("SELECT id FROM videos WHERE status IN ('queued', 'running')").length > 0
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<boolean> => {
    for (let seconds = 0; seconds < idleSeconds; seconds += 1) {
      if (await isSo()) return true
      await own.pause(1_000)
    }
    return false
  }
  if (!containers || !(await until(() => !isBusy()))) return
  const { most } = containers
  containers.most = 0
  const fileUrl = 'https://sources.example.com/refused.mp4'
  await own.expect(202, ['POST', '/v1/videos', { fileUrl, reuse: false }])
  const refusals: number[] = []
  const isTold = await until(async () => {
    refusals.push((await readMetrics(parts)).get('spool_containers_refused') ?? 0)
    return (refusals.at(-1) ?? 0) > 0
  })
  own.same('whether it is told that no container starts', isTold, true)
  const isEarly = (refusals.at(-1) ?? 0) < tellingRefusals
  own.same('whether fewer refusals are told than prove anything', isEarly, false)
  const failing = async () => (await own.ask(['GET', '/health']))?.status === 503
  // The object that counts them may be moved, and then counts once more.
  own.same('whether health tells that no container starts', await until(failing), true)
  containers.most = most
  own.same('whether the job ends once containers start', await until(() => !isBusy()), true)
  await own.pause(sharedMs)
  own.same('whether health tells of containers for good', await failing(), false)
}

const saidOf = (status: number): string => (status === 200 ? 'ok' : 'failing')

const partsOf = (disk: Plainly['disk']): string[] =>
  ['database', ...(disk ? ['disk'] : []), 'mediaWorkers', 'storage'].toSorted()

import type { Plainly } from '../plain-parts.ts'

/** What the check of the database asks. */
const question = 'SELECT 1 FROM accounts LIMIT 1'
/** Requests within ten seconds share one answer. */
const sharedMs = 11_000
/** One that tells of a fault is shared for less time. */
const faultSharedMs = 3_000
/** Isolates have an answer each. */
const asked = 4
/** So many requests meet each isolate. */
const often = 12
/** What only those ask that list presets. */
const listed = 'from "presets"'
/** By then a fault of the database that nobody meets any more is forgotten. */
const forgottenMs = 3_660_000

type Checks = Record<string, { status: string; message?: string } | undefined>

/** Health tells within seconds that the database does not answer, and that it answers again. */
export async function judgeHealth(parts: Plainly): Promise<void> {
  await judgeQuestion(parts)
  await judgeMet(parts)
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

/** Health tells what requests have met, although its own question to the database is answered. */
async function judgeMet({ own, database }: Plainly): Promise<void> {
  const isTold = async (): Promise<boolean> => {
    const answers = []
    for (let i = 0; i < often; i++) answers.push(await own.ask(['GET', '/health']))
    return answers.some((answer) => answer?.status === 503)
  }
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

const saidOf = (status: number): string => (status === 200 ? 'ok' : 'failing')

const partsOf = (disk: Plainly['disk']): string[] =>
  ['database', ...(disk ? ['disk'] : []), 'mediaWorkers', 'storage'].toSorted()

import type { Plainly } from '../plain-parts.ts'

/** What the check of the database asks. */
const question = 'SELECT 1 FROM accounts LIMIT 1'
/** Requests within ten seconds share one answer. */
const sharedMs = 11_000
/** One that tells of a fault is shared for less time. */
const faultSharedMs = 3_000
/** Isolates have an answer each. */
const asked = 4

type Checks = Record<string, { status: string; message?: string } | undefined>

/** Health tells within seconds that the database does not answer, and that it answers again. */
export async function judgeHealth({ own, database, disk }: Plainly): Promise<void> {
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

const saidOf = (status: number): string => (status === 200 ? 'ok' : 'failing')

const partsOf = (disk: Plainly['disk']): string[] =>
  ['database', ...(disk ? ['disk'] : []), 'mediaWorkers', 'storage'].toSorted()

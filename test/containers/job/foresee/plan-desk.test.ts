import { expect, it, onTestFinished } from 'vitest'
import { unconfined } from '../../../../containers/confine/confinement.ts'
import { createLog } from '../../../../containers/errors/log.ts'
import { PlanDesk } from '../../../../containers/job/foresee/plan-desk.ts'
import { loadSettings } from '../../../../containers/settings/settings.ts'
import { aJob } from '../../../support/containers/a-job.ts'
import { startSources } from '../../../support/containers/sources.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'

it('tells by past jobs what a source takes that is too slow to be looked at', async () => {
  const sources = await startSources()
  onTestFinished(sources.close)
  const settings = loadSettings({
    MEDIA_WORKER_TOKEN: 'a-token-for-tests-only',
    SPOOL_WORK_DIR: await aFolder(),
    ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  })
  const work = async (): Promise<never> => Promise.reject(new Error('There is nothing to look at'))
  const log = createLog(() => undefined)
  const desk = new PlanDesk({ settings, log, processes: { work }, confinement: unconfined }, 400)
  const never = sources.route('/never.mp4', (_request, response) =>
    response.writeHead(200).flushHeaders(),
  )
  const job = aJob({ inputs: [never], reportsUrl: 'http://127.0.0.1/', options: {} })
  const paces = { 'whole mp4 copied': { ms: 70_000, spread: 0.2 } }
  const plan = await desk.plan({ ...job, paces })
  expect(plan).toMatchObject({ refusal: null, results: [], seconds: { likely: 70 } })
  expect(plan).toMatchObject({ unknown: [expect.stringContaining('come so slowly')] })
})

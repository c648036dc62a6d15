import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeMachine } from '../machine.ts'
import type { DevWorker } from './dev-worker.ts'
import { driveSlice } from './drive.ts'
import { compare, type Comparison, type Round } from './figures.ts'
import { keepsLimit, reportLines } from './report.ts'
import { readRequestsSettings, type RequestsSettings } from './settings.ts'
import { launchBare, launchService, type SideTargets } from './targets.ts'

type RequestName = 'read' | 'create'

/** Of the bare Worker's throughput, so much at least. */
const comparisons: readonly { name: RequestName; title: string; limit: number }[] = [
  { name: 'read', title: 'Status read, GET /v1/videos/{videoId}', limit: 0.6 },
  { name: 'create', title: 'Create, POST /v1/videos', limit: 0.5 },
]

/** Not counted: code is compiled and connections are opened in them. */
const warmUpRounds = 2

type Sides = { service: SideTargets; bare: SideTargets }

/** Ends with 0 when the ratios keep their limits, 1 when one does not, 130 when stopped. */
export async function runRequests(args: readonly string[], stop: AbortSignal): Promise<number> {
  const settings = readRequestsSettings(args)
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-bench-'))
  const workers: DevWorker[] = []
  const killNow = () => {
    for (const worker of workers) worker.killNow()
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', killNow)
  try {
    const onStart = (worker: DevWorker) => workers.push(worker)
    const at = (name: string) => ({ folder: path.join(folder, name), stop, onStart })
    const bare = await launchBare(at('bare'), settings.bareLogs)
    const service = await launchService(at('service'), settings.dispatch)
    return await compareSides({ service, bare }, settings, stop)
  } catch (error) {
    if (stop.aborted) return 130
    throw error
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    process.off('exit', killNow)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compareSides(
  sides: Sides,
  settings: RequestsSettings,
  stop: AbortSignal,
): Promise<number> {
  const { rounds, sliceMs, connections, dispatch, bareLogs } = settings
  say(describeMachine())
  say(`${connections} connections, ${rounds} rounds of ${sliceMs} ms a side, order swapped`)
  if (dispatch) say("The service's queue consumer runs as well.")
  if (bareLogs) say('The bare Worker writes a log line for every request as well.')
  say('')
  let kept = true
  for (const { name, title, limit } of comparisons) {
    const comparison = await playRounds(sides, name, settings, stop)
    const asked = name === 'create' && dispatch ? undefined : limit
    for (const line of reportLines(title, comparison, asked)) say(line)
    kept &&= keepsLimit(comparison, asked)
  }
  say(kept ? 'ok' : 'below the limit')
  return kept ? 0 : 1
}

/** Short slices by turns; who goes first changes with every round. */
async function playRounds(
  sides: Sides,
  name: RequestName,
  settings: RequestsSettings,
  stop: AbortSignal,
): Promise<Comparison> {
  const { connections, sliceMs } = settings
  const slice = async (side: keyof Sides) => {
    const { worker, [name]: target } = sides[side]
    return driveSlice(target, { worker, connections, sliceMs, stop })
  }
  const rounds: Round[] = []
  for (let n = -warmUpRounds; n < settings.rounds; n++) {
    const round =
      n % 2 === 0
        ? { service: await slice('service'), bare: await slice('bare') }
        : { bare: await slice('bare'), service: await slice('service') }
    if (n >= 0) rounds.push(round)
  }
  return compare(rounds)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

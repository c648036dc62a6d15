import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeMachine } from '../machine.ts'
import type { HostedWorker } from './hosted-worker.ts'
import { driveSlice } from './drive.ts'
import { compare, type Comparison, type Round, type SideName } from './figures.ts'
import { keepsLimits, reportLines, type Limits } from './report.ts'
import { readRequestsSettings, type RequestsSettings } from './settings.ts'
import { launchBare, launchService, type SideTargets } from './targets.ts'

type RequestName = 'read' | 'create'

const comparisons: readonly { name: RequestName; title: string; limits: Limits }[] = [
  {
    name: 'read',
    title: 'Status read, GET /v1/videos/{videoId}',
    limits: { throughput: 0.7, cpuShare: 0.5 },
  },
  {
    name: 'create',
    title: 'Create, POST /v1/videos',
    limits: { throughput: 0.65, cpuShare: undefined },
  },
]

/** These rounds are not counted: they compile code and open connections. */
const warmUpRounds = 2

type Sides = Record<SideName, SideTargets>

/** Returns 0 if the ratios keep their limits, 1 if one does not, 130 if it was stopped. */
export async function runRequests(args: readonly string[], stop: AbortSignal): Promise<number> {
  const settings = readRequestsSettings(args)
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-bench-'))
  const workers: HostedWorker[] = []
  const killNow = () => {
    for (const worker of workers) worker.killNow()
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', killNow)
  try {
    const onStart = (worker: HostedWorker) => workers.push(worker)
    const at = (name: string) => ({ folder: path.join(folder, name), stop, onStart })
    const bare = await launchBare(at('bare'), settings.bareLogs)
    const service = await launchService(at('service'), 'server', settings.dispatch)
    const dev = await launchService(at('dev'), 'dev', settings.dispatch)
    return await compareSides({ service, bare, dev }, settings, stop)
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
  for (const { name, title, limits } of comparisons) {
    const comparison = await playRounds(sides, name, settings, stop)
    const asked = name === 'create' && dispatch ? { ...limits, throughput: undefined } : limits
    for (const line of reportLines(title, comparison, asked)) say(line)
    kept &&= keepsLimits(comparison, asked)
  }
  say(kept ? 'ok' : 'a limit is not kept')
  return kept ? 0 : 1
}

const order: readonly SideName[] = ['service', 'bare', 'dev']

/** Runs short slices of both sides alternately; the order changes with every round. */
async function playRounds(
  sides: Sides,
  name: RequestName,
  settings: RequestsSettings,
  stop: AbortSignal,
): Promise<Comparison> {
  const { connections, sliceMs } = settings
  const slice = async (side: SideName) => {
    const { worker, [name]: target } = sides[side]
    return driveSlice(target, { worker, connections, sliceMs, stop })
  }
  const rounds: Round[] = []
  for (let n = -warmUpRounds; n < settings.rounds; n++) {
    const round: Partial<Round> = {}
    for (const side of n % 2 === 0 ? order : order.toReversed()) round[side] = await slice(side)
    const { service, bare, dev } = round
    if (n >= 0 && service && bare && dev) rounds.push({ service, bare, dev })
  }
  return compare(rounds)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

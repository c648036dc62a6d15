import { exitCodeOf, StopWithMessage } from '../scripts/machine/stop-with-message.ts'
import { listenForStop } from '../scripts/start/stop-signals.ts'
import { backlogHelp, runBacklog } from './backlog/run-backlog.ts'
import { containersHelp, runContainers } from './containers/run-containers.ts'
import { runCuts } from './cuts/run-cuts.ts'
import { cutsHelp } from './cuts/settings.ts'
import { runEngine } from './engine/run-engine.ts'
import { engineHelp } from './engine/settings.ts'
import { runJobs } from './jobs/run-jobs.ts'
import { jobsHelp } from './jobs/settings.ts'
import { runLinks } from './links/run-links.ts'
import { linksHelp } from './links/settings.ts'
import { modelHelp, runModel } from './model/run-model.ts'
import { runRequests } from './requests/run-requests.ts'
import { requestsHelp } from './requests/settings.ts'
import { runUntilStopped } from '../scripts/machine/run-until-stopped.ts'
import { runSizes, sizesHelp } from './sizes/run-sizes.ts'
import { runSpeech, speechHelp } from './speech/run-speech.ts'
import { runStart } from './start/run-start.ts'
import { startHelp } from './start/settings.ts'

/** Returns 0 if every limit is kept, 1 if one is not, 130 if it was stopped. */
type Benchmark = {
  summary: string
  /** With its usual options, on two quiet cores. */
  takes: string
  help: string
  run: (args: readonly string[], stop: AbortSignal) => Promise<number>
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  engine: {
    summary: 'rendering against the best single ffmpeg command written by hand',
    help: engineHelp,
    takes: 'five minutes',
    run: runEngine,
  },
  cuts: {
    summary: 'cuts that copy what is stored, against an encode and other ways: speed and exactness',
    help: cutsHelp,
    takes: 'six minutes',
    run: runCuts,
  },
  sizes: {
    summary: 'bytes, likeness and time of a crop beside its source and other rate factors',
    help: sizesHelp,
    takes: 'three minutes',
    run: runSizes,
  },
  start: {
    summary: 'npm start: seconds until it is healthy, memory of each process',
    help: startHelp,
    takes: 'a minute',
    run: runStart,
  },
  containers: {
    summary: 'both images: size by layer, start of a container, a job beside a plain process',
    help: containersHelp,
    takes: 'four minutes',
    run: runContainers,
  },
  requests: {
    summary: 'status reads and creates against a bare Worker, and against wrangler dev',
    help: requestsHelp,
    takes: 'two minutes',
    run: runRequests,
  },
  links: {
    summary: 'downloads by link against the bucket alone, and what they ask of the database',
    help: linksHelp,
    takes: 'a minute',
    run: runLinks,
  },
  jobs: {
    summary:
      'tiny jobs through the whole service: per minute, waiting, overhead, nothing lost or twice',
    help: jobsHelp,
    takes: 'two minutes',
    run: runJobs,
  },
  backlog: {
    summary: 'ten thousand waiting jobs on one slot: what they cost, who is next, and after a kill',
    help: backlogHelp,
    takes: 'two minutes',
    run: runBacklog,
  },
  model: {
    summary: 'what the service costs, what it reaches first, and a day of it in simulation',
    help: modelHelp,
    takes: 'ten seconds',
    run: runModel,
  },
  speech: {
    summary: 'the local speech recogniser: word errors, word times, speed, memory',
    help: speechHelp,
    takes: 'two minutes',
    run: runSpeech,
  },
}

process.exit(await exitCodeOf(main))

async function main(): Promise<number> {
  const [name, ...args] = process.argv.slice(2)
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(usage())
    return name === undefined ? 2 : 0
  }
  const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
  if (!benchmark) throw new StopWithMessage(`Unknown benchmark ${name}.\n\n${usage()}`, 2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(benchmark.help)
    return 0
  }
  process.stdout.write(`${name}: about ${benchmark.takes} on two quiet cores. Ctrl-C ends it.\n`)
  const stop = listenForStop(process, () => process.exit(130))
  return runUntilStopped(async () => benchmark.run(args, stop), stop)
}

function usage(): string {
  const lines = Object.entries(benchmarks).map(
    ([name, { summary, takes }]) => `  ${name.padEnd(12)}${summary}; about ${takes}`,
  )
  return `Usage: npm run bench -- <benchmark> [options]
       npm run bench -- <benchmark> --help

${lines.join('\n')}

Each prints its figures, and on its last line whether the limits are kept; exit code 0 or 1.
`
}

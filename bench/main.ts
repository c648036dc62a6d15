import { runUntilStopped } from '../scripts/machine/run-until-stopped.ts'
import { exitCodeOf, StopWithMessage } from '../scripts/machine/stop-with-message.ts'
import { backlog } from './backlog/run-backlog.ts'
import type { Benchmark } from './benchmark.ts'
import { checks } from './checks/run-checks.ts'
import { cuts } from './cuts/run-cuts.ts'
import { engine } from './engine/run-engine.ts'
import { forecast } from './forecast/run-forecast.ts'
import { jobs } from './jobs/run-jobs.ts'
import { links } from './links/run-links.ts'
import { model } from './model/run-model.ts'
import { requests } from './requests/run-requests.ts'
import { speech } from './speech/run-speech.ts'
import { start } from './start/run-start.ts'

const benchmarks: Readonly<Record<string, Benchmark>> = {
  ...{ engine, checks, cuts, speech, start, requests, links, jobs, forecast, backlog, model },
}

/** Plans are judged together with the forecasts in records, because the same jobs show both. */
const otherNames = new Map([['plans', 'forecast']])

process.exit(await exitCodeOf(main))

async function main(): Promise<number> {
  const [asked = '--help', ...args] = process.argv.slice(2)
  if (['--help', '-h', 'help'].includes(asked)) {
    process.stdout.write(usage())
    return 0
  }
  const name = otherNames.get(asked) ?? asked
  const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
  if (!benchmark) throw new StopWithMessage(`Unknown benchmark ${name}.\n\n${usage()}`, 2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(benchmark.help(name))
    return 0
  }
  return runUntilStopped(async (stop) => benchmark.run(name, args, stop))
}

function usage(): string {
  const lines = Object.entries(benchmarks).map(
    ([name, { summary, takes }]) => `  ${name.padEnd(10)}${summary}; about ${takes}`,
  )
  return `Usage: npm run bench -- <benchmark> [options]
       npm run bench -- <benchmark> --help

${lines.join('\n')}

plans is another name of forecast.
Each prints its figures with their limits, and on its last line whether all are kept; exit code 0 or 1.
`
}

import { exitCodeOf } from '../scripts/machine/stop-with-message.ts'
import { replay, runAlone } from './runs/run-alone.ts'
import { tellLines } from './runs/run-line.ts'
import { runMutations } from './runs/run-mutations.ts'
import { runScale, scaleSeed } from './runs/run-scale.ts'
import { runSideBySide } from './runs/run-side-by-side.ts'
import { help, readSettings } from './runs/settings.ts'

process.exit(
  await exitCodeOf(async () => {
    const args = process.argv.slice(2)
    const say = (line: string) => process.stdout.write(`${line}\n`)
    if (args.includes('--help') || args.includes('-h')) {
      process.stdout.write(help)
      return 0
    }
    const settings = readSettings(args)
    if (settings.measuresLine) return tellLines(say)
    if (settings.scale) return runScale({ ...settings.scale, seed: scaleSeed, until: 24 }, say)
    if (settings.looksForPlanted) return runMutations(settings, say)
    if (settings.replays) return replay(settings, say)
    return settings.areGiven || settings.processes === 1
      ? runAlone(settings, say)
      : runSideBySide(settings, say)
  }),
)

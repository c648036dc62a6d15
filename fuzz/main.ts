import { ensureFfmpeg } from '../scripts/machine/ensure-ffmpeg.ts'
import { runUntilStopped } from '../scripts/machine/run-until-stopped.ts'
import { exitCodeOf } from '../scripts/machine/stop-with-message.ts'
import { fuzzHelp, readFuzzSettings } from './settings.ts'

process.exit(
  await exitCodeOf(async () => {
    const args = process.argv.slice(2)
    const say = (line: string) => process.stdout.write(`${line}\n`)
    if (args.includes('--help') || args.includes('-h')) {
      process.stdout.write(fuzzHelp)
      return 0
    }
    const settings = readFuzzSettings(args)
    await ensureFfmpeg((line) => process.stderr.write(`${line}\n`))
    return runUntilStopped(async (stop) => {
      // It loads all of the media worker, which help and a wrong option need not wait for.
      const { runCampaign } = await import('./run-campaign.ts')
      return runCampaign(settings, stop, say)
    })
  }),
)

import { setTimeout as delay } from 'node:timers/promises'
import { benchmark, median, range, say } from '../benchmark.ts'
import { useBelow } from '../machine.ts'
import { freePort } from '../../test/support/node/free-port.ts'
import { RunningService } from '../../test/support/node/service.ts'

const limits = { readySeconds: 3, mebibytes: 600 }
/** After this time the first sweep is over, and memory that only the start needed has been freed. */
const settledMs = 6_000
/** What `npm start` runs. */
const launch = { script: 'scripts/bootstrap.mjs', args: ['start'] }

export const start = benchmark({
  summary: 'npm start: seconds until it is healthy, memory of each process',
  takes: 'a minute',
  about: `Runs what npm start runs again and again on this checkout, on a port and in a folder of its own: how long until it is healthy, and
how much memory each of its processes takes once it idles. The first start, which bundles and migrates, is shown and not
judged.`,
  numbers: { rounds: [5, 'starts that are judged'] },
  async measure({ rounds }, { folder, stop, judge }) {
    const startOnce = async () => {
      const startedAt = performance.now()
      const place = { port: await freePort(), dataDir: folder }
      const service = await RunningService.start(place, {}, launch)
      try {
        const seconds = (performance.now() - startedAt) / 1000
        await delay(settledMs, undefined, { signal: stop })
        return { seconds, processes: useBelow(process.pid) }
      } finally {
        await service.stop()
      }
    }
    const first = await startOnce()
    say(`first start in an empty folder: ${first.seconds.toFixed(2)} s`)
    const starts = []
    while (starts.length < rounds) starts.push(await startOnce())

    say('\nidle memory, MiB: shared pages divided among the processes (resident)')
    const idle = starts.at(-1)?.processes ?? []
    for (const { name, mebibytes, residentMebibytes } of idle)
      say(`  ${name.padEnd(34)}${mebibytes.toFixed(0)} (${residentMebibytes.toFixed(0)})`)
    const total = idle.reduce((sum, one) => sum + one.mebibytes, 0)
    judge(`all of it ${total.toFixed(0)} MiB`, `${limits.mebibytes} MiB`, total <= limits.mebibytes)
    const seconds = starts.map((one) => one.seconds)
    const middle = median(seconds)
    const figure = `ready after ${middle.toFixed(2)} s in the middle ${range(seconds, 2)}`
    judge(figure, `${limits.readySeconds} s`, middle <= limits.readySeconds)
  },
})

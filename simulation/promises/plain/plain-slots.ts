import type { Plainly } from './plain-parts.ts'
import { judgeForecasts } from './shown/plain-forecast.ts'

const secondMs = 1_000
/** Places in line are remembered for two seconds. */
const knownMs = 3_000
const startedWithinSeconds = 60
const endedWithinSeconds = 7_200
/** More than the line reads at a time. */
const batched = 5

/**
 * Two accounts have more jobs than there are slots. Some jobs leave their slots while their sources are slow, and each free
 * slot goes to the next job at once; the checks of slots watch that.
 */
export async function judgeSlots(parts: Plainly): Promise<void> {
  const { own, other, database, deployment, slots } = parts
  const sent: string[] = []
  for (let i = 0; i < slots + 2; i++) {
    for (const [by, name] of [
      [own, 'mine'],
      [other, 'theirs'],
    ] as const) {
      const fileUrl = `https://sources.example.com/slot-${name}-${i}.mp4`
      const made = await by.expect(202, ['POST', '/v1/videos', { fileUrl, reuse: false }])
      sent.push(String(made['videoId']))
    }
  }
  // The jobs of a batch all arrive at one moment.
  const items = Array.from({ length: batched }, (_, i) => ({
    fileUrl: `https://sources.example.com/slot-batch-${i}.mp4`,
    reuse: false,
  }))
  sent.push(
    ...((await own.expect(202, ['POST', '/v1/batches', { items }]))['videoIds'] as string[]),
  )
  const count = (...statuses: string[]): number =>
    database
      .read('SELECT id, status FROM videos')
      .filter(({ id, status }) => sent.includes(String(id)) && statuses.includes(String(status)))
      .length
  const until = async (isSo: () => boolean, most: number): Promise<void> => {
    for (let seconds = 0; seconds < most && !isSo(); seconds++) await own.pause(secondMs)
  }
  await until(() => count('running') > 0, startedWithinSeconds)
  // Moved in the middle of this, the object that gives out slots reads the line from the rows.
  for (const cell of deployment.objects.DISPATCHER.cells.values()) cell.die()
  await own.pause(knownMs)
  await judgeForecasts(parts)
  await until(() => count('queued', 'running') === 0, endedWithinSeconds)
  own.same('how many have not ended', count('queued', 'running'), 0)
}

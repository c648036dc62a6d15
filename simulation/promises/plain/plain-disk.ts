import { formOf } from '../../actors/file-form.ts'
import type { Plainly } from './plain-parts.ts'

const fileUrl = 'https://sources.example.com/room.mp4'
const form = formOf({ videoName: 'on a full disk' }, 'a film of a full disk')
/** Each isolate learns the size of the database with the first video that it stores. */
const isolates = 3
/** Work that a rollout interrupts has ended by then. */
const onItsWayMs = 5_000
/** Requests within half a second share one look at the disk. */
const lookMs = 1_000
const times = 8
const roomyBytes = 10_000_000_000

/** A disk whose reserve is begun takes nothing new. Accepted videos go on, and files that have arrived reserve no room. */
export async function judgeDisk({ own, disk }: Plainly): Promise<void> {
  if (!disk) return
  const reserveBytes = disk.totalBytes / 10
  const leave = async (freeBytes: number): Promise<void> => {
    disk.freeBytes = freeBytes
    await own.pause(lookMs)
  }
  const before = disk.freeBytes
  const { videoId } = await own.expect(202, ['POST', '/v1/videos', { fileUrl }])
  await leave(reserveBytes - 1)
  await own.expect(507, ['POST', '/v1/videos', { fileUrl }])
  await own.expect(507, ['POST', '/v1/batches', { items: [{ fileUrl }] }])
  await own.expect(507, ['POST', '/v1/uploads', { fileName: 'a.mp4', sizeInBytes: 10 }])
  await own.expect(507, ['POST', '/v1/videos/upload', form])
  await own.expect(200, ['GET', `/v1/videos/${String(videoId)}`])
  await leave(reserveBytes + 2 * form.text.length)
  await own.expect(507, [
    'POST',
    '/v1/uploads',
    { fileName: 'a.mp4', sizeInBytes: 10 * form.text.length },
  ])
  for (let i = 0; i < times; i++) {
    const made = await own.expect(202, ['POST', '/v1/videos/upload', form])
    await own.ask(['POST', `/v1/videos/${String(made['videoId'])}/cancel`, {}])
    await own.pause(lookMs)
  }
  await leave(before)
}

/** A full database takes no new video. */
export async function judgeDatabase({ own, deployment }: Plainly): Promise<void> {
  const fill = async (mostBytes: number): Promise<void> => {
    await own.pause(onItsWayMs)
    deployment.reconfigure({ MAX_DATABASE_BYTES: `${mostBytes}` })
  }
  await fill(1)
  let taken = 0
  for (let i = 0; i <= isolates; i++) {
    const answer = await own.ask(['POST', '/v1/videos', { fileUrl }])
    if (answer?.status === 507) continue
    taken++
    const { videoId } = JSON.parse(answer?.text ?? '{}') as { videoId: string }
    await own.ask(['POST', `/v1/videos/${videoId}/cancel`, {}])
  }
  own.same('whether a full database takes videos', taken > isolates, false)
  await fill(roomyBytes)
}

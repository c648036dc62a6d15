/** A change of the source before it is compiled. */
type Small = { file: string; find: string; replace: string }

const small = (file: string, find: string, replace: string): Small => ({ file, find, replace })

/** Parts are as small as the files that are sent: more bytes would only take longer. */
export const smallParts: readonly Small[] = [
  small('worker/upload/part-sizes.ts', 'const mebibyte = 1024 * 1024', 'const mebibyte = 16'),
  small('worker/contract/limits.ts', 'partBytes: 8_388_608', 'partBytes: 64'),
  // What has arrived of a form is moved into a larger buffer, as it is of a large one.
  small('worker/upload/byte-window.ts', 'firstBytes = 64 * 1024', 'firstBytes = 64'),
]

/** What is done a page at a time is done in pages of a few, because a day of bad luck has only a few dozen videos. */
export const smallPages: readonly Small[] = [
  small('worker/durable/open-streams.ts', 'mostStreams = 500', 'mostStreams = 12'),
  small('worker/command/cancel-batch.ts', 'const jobsAtOnce = 50', 'const jobsAtOnce = 2'),
  small('worker/durable/read-line.ts', 'const rowsAtOnce = 500', 'const rowsAtOnce = 3'),
  small('worker/store/objects/objects.ts', 'PartBytes = 64 * 1024 * 1024', 'PartBytes = 64'),
  small('worker/store/objects/objects.ts', 'prefix, limit: 500', 'prefix, limit: 8'),
  small('worker/queue/sweep-orphans.ts', 'const keysPerPage = 500', 'const keysPerPage = 20'),
  small('worker/queue/sweep-archive.ts', 'const videosAtOnce = 50', 'const videosAtOnce = 2'),
  small('worker/queue/sweep-jobs.ts', 'const messagesAtOnce = 100', 'const messagesAtOnce = 2'),
  small('worker/queue/sweep-jobs.ts', 'const endedPerTick = 20', 'const endedPerTick = 1'),
  small('worker/queue/sweep.ts', 'const canceledPerTick = 5', 'const canceledPerTick = 1'),
  small('worker/service/batches/submit-batch.ts', 'messagesAtOnce = 100', 'messagesAtOnce = 2'),
  small('worker/durable/dispatcher.ts', 'const overdueAtOnce = 16', 'const overdueAtOnce = 2'),
  small(
    'worker/contract/limits.ts',
    'presetLimits = { perAccount: 100',
    'presetLimits = { perAccount: 4',
  ),
  small('worker/contract/limits.ts', 'bytes: 262_144, withinMs', 'bytes: 64, withinMs'),
  small('worker/service/videos/search-videos.ts', 'namesAtOnce = 1000', 'namesAtOnce = 3'),
  small('worker/contract/limits.ts', '  perAccount: 20,', '  perAccount: 3,'),
  small('worker/contract/limits.ts', '  atOnce: 4,', '  atOnce: 1,'),
  small('worker/service/limits/rate-lane.ts', 'const keysWorth = 10', 'const keysWorth = 2'),
  small('worker/service/files/open-object.ts', 'PieceBytes = 33_554_432', 'PieceBytes = 50'),
  small('worker/contract/limits.ts', 'keysPerAccount = 100', 'keysPerAccount = 12'),
  // Passwords are hashed at once, and not in threads that answer whenever they are done.
  small(
    'worker/service/password-hash.ts',
    "import { scrypt, timingSafeEqual } from 'node:crypto'",
    "import { scryptSync, timingSafeEqual } from 'node:crypto'\nconst scrypt = (secret, salt, length, cost, done) => done(undefined, scryptSync(secret, salt, length, cost))",
  ),
  small('worker/service/password-hash.ts', 'N: 16_384, r: 8, p: 5', 'N: 16, r: 1, p: 1'),
  // Reports that say nothing new are the most frequent of all requests.
  small('containers/job/report/send-report.ts', 'tellAgainMs = 5_000', 'tellAgainMs = 10_000'),
]

import { plant, type Planted } from './planted.ts'

const streams = 'worker/durable/open-streams.ts'
const guesses = 'worker/http/guard/shield-guesses.ts'
const usage = 'worker/store/usage.ts'
const transcript = 'worker/http/videos/get-transcript.ts'
const sendFile = 'worker/http/serve/serve-file.ts'

/** Faults in what customers read, and in what is refused to those who ask for too much. */
export const askedMutations: readonly Planted[] = [
  plant('an account follows its videos with any number of streams', [streams, 7], {
    find: '  return mayFollow(accountId, now) ? new StreamPlace',
    replace: '  return now > 0 ? new StreamPlace',
  }),
  plant('a stream that ends keeps its place', [streams, 7], {
    find: '    this.#among.delete(this)\n',
  }),
  plant('a page begins with the last of the one before', ['worker/store/database.ts', 7], {
    find: '< (${end.createdAt}, ${end.id})`',
    replace: '<= (${end.createdAt}, ${end.id})`',
  }),
  plant('who guesses keys is refused for an hour', [guesses, 8], {
    find: 'current.set(address, now + periodMs)',
    replace: 'current.set(address, now + 60 * periodMs)',
  }),
  plant('keys are guessed without an end', [guesses, 8], {
    find: '  if (success) return\n',
    replace: '  if (success || !success) return\n',
  }),
  plant("what other accounts have at work is told as if it were one's own", [usage, 8], {
    find: 'where ${videos.accountId} = ${accountId} and ${videos.status} = ${status})',
    replace: 'where ${accountId} is not null and ${videos.status} = ${status})',
  }),
  plant("what others have used is told as if it were one's own", [usage, 8], {
    find: 'const mine = eq(usageDays.accountId, accountId)',
    replace: 'const mine = sql`${accountId} is not null`',
  }),
  plant('a file that waits for its video takes no room', [usage, 22], {
    find: "status in ('receiving', 'open', 'ready')",
    replace: "status in ('receiving', 'open')",
  }),
  plant('a transcript is read before it is there', [transcript, 4], {
    find: '  requireCompleted(video)\n',
  }),
  plant('a transcript is sent in another format', [transcript, 4], {
    find: '`transcript-${format}`',
    replace: "format === 'json' ? 'transcript-json' : 'transcript-txt'",
  }),
  plant(
    'a webhook whose attempts were lost waits for ever',
    ['worker/service/webhooks/decide-delivery.ts', 14],
    {
      find: 'return now > roundAt + total + graceMs',
      replace: 'return now > roundAt * 2 + total + graceMs',
    },
  ),
  plant(
    'an upload is named that has become a video',
    ['worker/service/uploads/named-uploads.ts', 14],
    {
      find: "    case 'ready':\n",
      replace: "    case 'ready':\n    case 'used':\n",
    },
  ),
  plant('a customer hears of a queue that is full', ['worker/service/videos/submit-video.ts', 22], {
    find: "    log('warn', 'queue refused a job; the sweep will send it', { jobId, ...describeError(error) })",
    replace: '    throw error',
  }),
  plant('a link outlives the files of its video', ['worker/service/files/file-links.ts', 22], {
    find: "  if (Number(seconds) * 1000 <= now) return { outcome: 'expired' }\n  return { outcome: 'good', link: { videoId, kind, ...(file && { file }) } }",
    replace: "  return { outcome: 'good', link: { videoId, kind, ...(file && { file }) } }",
  }),
  plant('a tag that promises little is taken for the same bytes', [sendFile, 22], {
    find: "comparison === 'weak' ? tag",
    replace: 'comparison.length > 0 ? tag',
  }),
  plant('a part of another file is sent for the rest of a download', [sendFile, 22], {
    find: '  if (!isOfAnother(c, opened.object)) return answer(file, opened, { status: 206, part })\n',
    replace: '  if (opened) return answer(file, opened, { status: 206, part })\n',
  }),
  plant(
    'what was used on the first day of a month counts for nothing',
    ['worker/store/budgets.ts', 99],
    {
      find: '`${month}-01`)',
      replace: '`${month}-02`)',
    },
  ),
  plant('what results take counts for nothing in a budget', ['worker/store/budgets.ts', 22], {
    find: 'coalesce(sum(result_bytes), 0) AS resultBytes',
    replace: '0 AS resultBytes',
  }),
  plant('an Idempotency-Key never expires', ['worker/service/idempotency.ts', 14], {
    find: "  if (known.expiresAt <= now) return { outcome: 'free' }\n",
  }),
  plant(
    'the preset of a batch counts before that of an item',
    ['worker/service/batches/judge-batch.ts', 4],
    {
      find: '? { preset, ...item } : item',
      replace: '? { ...item, preset } : item',
    },
  ),
  plant('the secret of a bucket is kept for another key', ['worker/command/save-storage.ts', 4], {
    find: '    hostOf(known) === hostOf(asked) &&\n    known.accessKeyId === asked.accessKeyId\n',
    replace: '    hostOf(known) === hostOf(asked)\n',
  }),
  plant('the secret of a bucket is kept for another host', ['worker/command/save-storage.ts', 4], {
    find: '    known.endpoint === asked.endpoint &&\n    hostOf(known) === hostOf(asked) &&\n    known',
    replace: '    known',
  }),
]

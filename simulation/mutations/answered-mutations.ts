import { plant, type Planted } from './planted.ts'

/** Faults in what answers tell beside what was asked for, in files, in the counting of requests, and in the days of use. */
export const answeredMutations: readonly Planted[] = [
  plant('a page of a list has one entry too many', ['worker/http/read-page.ts', 112], {
    find: 'data.length >= limit ||',
    replace: 'data.length > limit ||',
  }),
  plant('the last page of a list names a next one', ['worker/http/videos/list-videos.ts', 112], {
    find: 'const nextCursor = isWhole || !last ? null',
    replace: 'const nextCursor = !last ? null',
  }),
  plant(
    'a list tells of videos at work what their rows say',
    ['worker/http/videos/list-videos.ts', 112],
    {
      find: 'return allWithProgress(c.env, rows, async ({ id }) => findVideo(c.env.DB, accountId, id))',
      replace: 'return rows',
    },
  ),
  plant(
    'a record tells of a video at work what its row says',
    ['worker/http/videos/get-video.ts', 112],
    {
      find: 'return withProgress(c.env, row, readAgain, asked)',
      replace: 'void [readAgain, asked]\n  return row',
    },
  ),
  plant(
    'a video in the archive is not there for who changes it',
    ['worker/http/videos/change-video.ts', 112],
    {
      find: '  if (!archived) return videoNotFound()\n',
      replace: '  if (archived) return videoNotFound()\n',
    },
  ),
  plant('a plan is made beyond a quota', ['worker/http/videos/create-plan.ts', 102], {
    find: '  await refuseOverQuota(env, accountId)\n',
  }),
  plant('a plan is made beyond a budget', ['worker/http/videos/create-plan.ts', 102], {
    find: '  await refuseOverBudget(env, accountId, Date.now())\n',
  }),
  plant(
    'a plan of work of their own names that of before',
    ['worker/http/videos/create-plan.ts', 16],
    { find: 'video.request.reuse === false ? undefined : await', replace: 'await' },
  ),
  plant('a plan names a result that is lost', ['worker/http/videos/create-plan.ts', 106], {
    find: 'if (same && (await areStored(env.BUCKET, same.result))) {',
    replace: 'if (same) {',
  }),
  plant('a plan names a price for a result of before', ['worker/http/videos/create-plan.ts', 16], {
    find: 'reusedFrom === null ? priceOf',
    replace: 'reusedFrom !== undefined ? priceOf',
  }),
  plant('the answer to a create leads elsewhere', ['worker/http/videos/create-video.ts', 1], {
    find: '`/v1/videos/${submission.videoId}`',
    replace: '`/v1/videos/${submission.body.length}`',
  }),
  plant('an answer does not say that it is repeated', ['worker/http/videos/create-video.ts', 1], {
    find: "  if (submission.replayed) c.header('Idempotent-Replayed', 'true')\n",
  }),
  plant('a bucket is named that nobody has', ['worker/http/videos/create-video.ts', 52], {
    find: '    ...(parsed.ok ? await namedFaults(env, accountId, parsed.value) : []),\n',
  }),
  plant('a form has nothing of its preset', ['worker/http/videos/upload-video.ts', 22], {
    find: 'async (fields) => applyPreset(c.env, accountId, fields)',
    replace: 'async (fields) => ({ body: fields, faults: [] })',
  }),
  plant('a form is taken that is too large', ['worker/http/videos/upload-video.ts', 22], {
    find: 'declaredBytes > maxUploadBytes + formBytes',
    replace: 'declaredBytes > 100 * maxUploadBytes + formBytes',
  }),
  plant('a form that is over keeps its memory', ['worker/http/videos/upload-video.ts', 22], {
    find: '.finally(hold.release)',
  }),
  plant('who has made a result of before is not told', ['worker/http/videos/get-job.ts', 112], {
    find: "return [...own, ...made.filter(({ outcome }) => outcome === 'succeeded')]",
    replace: 'return own; void made',
  }),
  plant('a transcript has the names of before', ['worker/http/videos/get-transcript.ts', 52], {
    find: 'const output = storedFile(video, `transcript-${format}`)',
    replace: 'const output = video.result?.outputs[`transcript-${format}`]; void storedFile',
  }),
  plant(
    'the last videos of a batch are not counted as requests',
    ['worker/http/guard/authenticate.ts', 8],
    { find: 'counted < times', replace: 'counted < times - 1' },
  ),
  plant('reads count as other requests do', ['worker/http/guard/count-request.ts', 8], {
    find: "c.req.method === 'GET' || c.req.method === 'HEAD' ? 'read' : 'write'",
    replace: "'write'",
  }),
  plant('a gate that is moved is asked once', ['worker/http/guard/count-request.ts', 8], {
    find: "    log('info', 'key gate failed once', describeError(error))",
    replace:
      "    throw new AppError('ServiceUnavailable', undefined, { retryAfterSeconds: 1, cause: error })",
  }),
  plant('a key makes one that may do more', ['worker/http/keys.ts', 8], {
    find: 'if (granted.includes(scope)) return',
    replace: 'if (granted.length > 0) return',
  }),
  plant('a key is made that has ended', ['worker/command/api-keys.ts', 8], {
    find: 'if (at > now) return at',
    replace: 'if (at > 0) return at; void now',
  }),
  plant('a few videos of a batch are not counted as a request', ['worker/http/batches.ts', 8], {
    find: 'Math.ceil(items / batchLimits.itemsForEachRequest) - 1',
    replace: 'Math.floor(items / batchLimits.itemsForEachRequest) - 1',
  }),
  plant('a batch of an upload is not answered once more', ['worker/http/batches.ts', 112], {
    find: '  if (repeated) return answer(c, repeated)\n',
  }),
  plant('the answer to a batch does not say that it is repeated', ['worker/http/batches.ts', 52], {
    find: "  if (replayed) c.header('Idempotent-Replayed', 'true')\n",
  }),
  plant('a built-in preset is replaced', ['worker/http/presets.ts', 52], {
    find: '  refuseBuiltIn(named.value)\n',
  }),
  plant('a bucket that is saved again counts as new', ['worker/http/storages.ts', 52], {
    find: 'saved.createdAt === now ? 201 : 200',
    replace: '201',
  }),
  plant('what is left of the windows of a key is not told', ['worker/http/get-usage.ts', 8], {
    find: 'windows: await readWindows(c)',
    replace: 'windows: []',
  }),
  plant('a page of the feed has one end too few', ['worker/http/webhooks/webhook-feed.ts', 112], {
    find: '    limit,\n    read: async (one',
    replace: '    limit: limit - 1,\n    read: async (one',
  }),
  plant(
    'an address for a part is good for every part',
    ['worker/service/uploads/part-links.ts', 52],
    {
      find: "  if (!(await verifyMac(await partKey(settings), claim, mac))) return { outcome: 'forged' }\n",
      replace: '  void [claim, mac, verifyMac]\n',
    },
  ),
  plant('a picture becomes a video', ['worker/service/uploads/ready-source.ts', 52], {
    find: "if (!contentType.startsWith('image/')) return undefined",
    replace: "if (contentType !== '') return undefined",
  }),
  plant('requests are the same that differ in a list', ['worker/service/idempotency.ts', 52], {
    find: "if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`",
    replace: 'if (Array.isArray(value)) return `[${value.length}]`',
  }),
  plant('any signature opens the files of an output', ['worker/service/files/file-links.ts', 22], {
    find: 'if (!(await verifyMac(await linkKey(settings), `folder ${claim}`, mac))) {',
    replace: 'if (mac.length !== 64) {',
  }),
  plant('the files of an output are open for ever', ['worker/service/files/file-links.ts', 22], {
    find: "  if (Number(seconds) * 1000 <= now) return { outcome: 'expired' }\n  if (!kind",
    replace: '  if (!kind',
  }),
  plant(
    'what a link says of its file is believed unsigned',
    ['worker/service/files/file-links.ts', 22],
    {
      find: '  if (!(await verifyMac(key, signedText(address, described), mac))) return undefined\n',
      replace: '  void [mac, described]\n',
    },
  ),
  plant('a record has a link that is over', ['worker/service/files/file-links.ts', 22], {
    find: '    if (end <= now) return undefined\n',
  }),
  plant('a link that names no file outlives it', ['worker/http/serve/serve-file.ts', 22], {
    find: '  if (video.filesExpireAt !== null && video.filesExpireAt <= now) throw fileGone()\n',
    replace: '  void now\n',
  }),
  plant('the head of a file is told that is gone', ['worker/http/serve/serve-file.ts', 22], {
    find: '    if (!known) throw fileGone()\n',
    replace: '    if (!known) return new Response(null, { status: 200 })\n',
  }),
  plant('a copy of the same second is sent again', ['worker/http/serve/serve-file.ts', 22], {
    find: "dateOf('If-Modified-Since') >= seconds ? 304",
    replace: "dateOf('If-Modified-Since') > seconds ? 304",
  }),
  plant('a file of the same second has changed', ['worker/http/serve/serve-file.ts', 22], {
    find: "dateOf('If-Unmodified-Since') < seconds) return 412",
    replace: "dateOf('If-Unmodified-Since') <= seconds) return 412",
  }),
  plant('what begins behind a file is a part of it', ['worker/service/files/open-object.ts', 22], {
    find: 'if (offset >= size)',
    replace: 'if (offset > size)',
  }),
  plant('a file has more than all of its bytes', ['worker/service/files/open-object.ts', 22], {
    find: 'const length = Math.min(Number(last), size)',
    replace: 'const length = Number(last)',
  }),
  plant(
    'a range that ends before it begins is a part',
    ['worker/service/files/open-object.ts', 22],
    { find: "  if (last !== '' && Number(last) < offset) return { outcome: 'whole' }\n" },
  ),
  plant('one day too many is told', ['worker/service/describe-usage.ts', 8], {
    find: '(usualUsageDays - 1) * dayMs',
    replace: 'usualUsageDays * dayMs',
  }),
  plant('a day too few may be asked for', ['worker/service/describe-usage.ts', 8], {
    find: 'days <= longestUsageDays',
    replace: 'days < longestUsageDays',
  }),
  plant('what came later was kept before', ['worker/service/describe-usage.ts', 8], {
    find: 'let kept = keptBytes - keptSince',
    replace: 'let kept = keptBytes',
  }),
  plant('what a day brought was kept before it', ['worker/service/describe-usage.ts', 8], {
    find: '    listed.push(describeDay(date, row, { kept, prices }))\n    kept -= row?.keptBytes ?? 0\n',
    replace:
      '    kept -= row?.keptBytes ?? 0\n    listed.push(describeDay(date, row, { kept, prices }))\n',
  }),
  plant('the work of one kind is told for another', ['worker/service/describe-usage.ts', 8], {
    find: '({ work }) => work[kind]',
    replace: '({ work }) => work.analysing',
  }),
  plant('results cost nothing in all', ['worker/service/describe-usage.ts', 8], {
    find: "[...kinds, 'results'], (kind) => sum(days, (day) => day.prices[kind])",
    replace:
      "[...kinds, 'results'], (kind) => (kind === 'results' ? 0 : sum(days, (day) => day.prices[kind]))",
  }),
  plant(
    'a batch calls a video deleted that is in the archive',
    ['worker/service/batches/list-items.ts', 22],
    {
      find: ' ?? (await findArchived(env.BUCKET, accountId, videoId))?.video',
      replace: " ?? (await findArchived(env.BUCKET, '', videoId))?.video",
    },
  ),
  plant(
    'each page of a batch counts its videos from the start',
    ['worker/service/batches/list-items.ts', 112],
    { find: 'const item = first + i', replace: 'const item = i' },
  ),
  plant(
    'a record does not tell the time that is left',
    ['worker/service/jobs/live-progress.ts', 112],
    { find: '    ...(live.left && { left: live.left }),\n' },
  ),
  plant(
    'a record does not tell how far a transcript is',
    ['worker/service/jobs/live-progress.ts', 112],
    { find: "...named('transcript', moved(row.transcriptStatus, row.transcript, transcript))," },
  ),
  plant(
    'a record does not tell when the progress of its video has changed',
    ['worker/service/jobs/live-progress.ts', 112],
    { find: 'updatedAt: Math.max(row.updatedAt, live.at)', replace: 'updatedAt: row.updatedAt' },
  ),
  plant(
    'a receiver that does not answer has a minute',
    ['worker/service/webhooks/send-webhook.ts', 52],
    {
      find: 'const signal = AbortSignal.timeout(attemptMs)',
      replace: 'const signal = AbortSignal.timeout(attemptMs * 4)',
    },
  ),
  plant('an account has one key too many', ['worker/store/people/api-keys.ts', 8], {
    find: 'where ${good} < ${most}`)',
    replace: 'where ${good} <= ${most}`)',
  }),
  plant('keys that have ended count as keys', ['worker/store/people/api-keys.ts', 8], {
    find: 'and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${key.createdAt}))`',
    replace: 'and ${key.createdAt} > 0)`',
  }),
  plant(
    'the rest of a file begins in its first piece',
    ['worker/service/files/open-object.ts', 22],
    {
      find: 'const rest = { offset: first.offset + first.length, length: part.length - first.length }',
      replace: 'const rest = { offset: first.length, length: part.length - first.length }',
    },
  ),
]

import { plant, type Planted } from './planted.ts'

const transitions = 'worker/store/videos/transitions.ts'

/** Faults in what is told, by whom, and to whom: reports, progress, outputs, uploads, mails. */
export const toldMutations: readonly Planted[] = [
  plant('a report is believed without its signature', ['worker/http/receive-report.ts', 2], {
    find: 'if (!(await verifyMessage(await key(named.data), text, signature, Date.now()))) throw refusal()',
    replace: 'void verifyMessage(await key(named.data), text, signature, Date.now())',
  }),
  plant(
    'a report that is signed for one attempt may be about another',
    ['worker/http/receive-report.ts', 2],
    {
      find: 'if (!body.success || !isOf(named.data, body.data)) throw refusal()',
      replace: 'if (!body.success) throw refusal()',
    },
  ),
  plant(
    'one key signs the reports of all attempts of a job',
    ['worker/service/jobs/build-media-job.ts', 2],
    {
      find: '`report:${jobId}:${fence}`',
      replace: '`report:${jobId}`',
    },
  ),
  plant(
    'a transcript that is made once more begins at nothing',
    ['worker/store/videos/insight-changes.ts', 2],
    {
      find: 'kept: noLess(name, begun ?? 0) })',
      replace: "kept: sql`json_object('progress', 0)` })",
    },
  ),
  plant(
    'an upload to a bucket of a customer is begun, and never dropped',
    ['worker/durable/courier.ts', 4],
    {
      find: '    for (const begun of dropped) await this.#abort(begun)\n',
      replace: '    void dropped\n',
    },
  ),
  plant('what is made once more lacks its file', ['worker/command/replay-job.ts', 8], {
    find: 'const sourceVideoId = video.source ? video.id : undefined',
    replace: 'const sourceVideoId = undefined',
  }),
  plant(
    'an upload is completed without the parts that are missing',
    ['worker/upload/complete-upload.ts', 1],
    {
      find: '  if (missing.length > 0) throw notReceived(missing)\n',
    },
  ),
  plant(
    'who follows a video is not told of its new name',
    ['worker/durable/job/job-runner.ts', 2],
    {
      find: '  rowChanged(): void {\n    this.#live.readAgain()',
      replace: '  rowChanged(): void {',
    },
  ),
  plant('a message that was dealt with comes again', ['worker/queue/consume.ts', 1], {
    find: "    log('error', 'a batch could not be canceled further', { batchId, ...describeError(error) })\n  }\n  message.ack()",
    replace:
      "    log('error', 'a batch could not be canceled further', { batchId, ...describeError(error) })\n  }\n  message.retry()",
  }),
  plant('all members of an account are told of its budget', ['worker/store/budgets.ts', 1], {
    find: "members.role = 'owner' AND email",
    replace: 'email',
  }),
  plant(
    'a job whose object does not answer is not ended by the sweep',
    ['worker/queue/sweep-jobs.ts', 16],
    {
      find: 'for (const { jobId } of overdue.slice(0, endedPerTick)) await endIfOverdue(env, jobId, now)',
      replace: 'void endIfOverdue',
    },
  ),
  plant(
    'a turn costs the same whatever the weight of its account',
    ['worker/store/videos/transitions.ts', 1],
    {
      find: '${accounts.turn} + 1.0 / ${accounts.weight}',
      replace: '${accounts.turn} + 1.0',
    },
  ),
  plant('only the first of several outputs has to be there', ['worker/durable/job/outputs.ts', 2], {
    find: 'const missing = needed.find(',
    replace: 'const missing = needed.slice(0, 1).find(',
  }),
  plant(
    'a deletion does not wait until the files are gone',
    ['worker/command/delete-video.ts', 1],
    {
      find: '  for (const prefix of prefixes) await deleteObjects(env.BUCKET, prefix)\n',
      replace:
        '  void Promise.all(prefixes.map(async (prefix) => deleteObjects(env.BUCKET, prefix)))\n',
    },
  ),
  plant('a link outlives its file', 'worker/service/files/file-links.ts', {
    find: 'until, video.filesExpireAt ?? Infinity)',
    replace: 'until)',
  }),
  plant('words are kept of a video that was deleted', 'worker/store/videos/videos.ts', {
    find: '            eq(keptWords.videoId, video.videoId),\n',
    replace: "            eq(keptWords.videoId, ''),\n",
  }),
  plant('a file has the size that its media worker tells', ['worker/durable/job/outputs.ts', 6], {
    find: 'if (upload?.sizeBytes !== sizeBytes) return undefined',
    replace: 'if (!upload) return undefined',
  }),
  plant('progress overtakes what was fetched', ['containers/job/report/send-report.ts', 1], {
    find: '    this.#isTelling = true\n',
    replace: '    this.#isTelling = false\n',
  }),
  plant(
    'what was seen in a deleted video stays in its event',
    ['worker/store/videos/videos.ts', 1],
    {
      find: ", '$.data.analysis.data'",
    },
  ),
  plant('two attempts write one trace', ['worker/store/jobs/traces.ts', 1], {
    find: '${tracePrefix(videoId)}${fence}.json',
    replace: '${tracePrefix(videoId)}trace.json',
  }),
  plant(
    'who follows a video is not told what changes in its row',
    ['worker/durable/live-events.ts', 6],
    {
      find: '    const isNews = said !== this.#said ||',
      replace: '    const isNews =',
    },
  ),
  plant('a video that waits has the phase of before', [transitions, 1], {
    find: '          phase: null,\n          updatedAt: end.now',
    replace: '          updatedAt: end.now',
  }),
  plant(
    'progress stands still until an attempt has come as far as the one before',
    ['worker/durable/job/held-job.ts', 1],
    {
      find: 'shownBefore: video.progressPercent,',
      replace: 'shownBefore: 0,',
    },
  ),
  plant('a video that waits is being heard', [transitions, 1], {
    find: '          ...insightsToBeginAgain(end.progress?.insights),\n',
  }),
  plant('a stream is closed without the end of its video', 'worker/durable/live-events.ts', {
    find: "this.#end(formatVideoEvent('end', record))",
    replace: "this.#end('')",
  }),
  plant('a stream does not say that it is still there', ['worker/durable/live-events.ts', 2], {
    find: "      stream.send(': still here\\n\\n')\n",
  }),
]

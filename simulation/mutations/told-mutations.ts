import type { Planted } from './planted.ts'

/** Faults in what is told, by whom, and to whom: reports, progress, outputs, uploads, mails. */
export const toldMutations: readonly Planted[] = [
  {
    name: 'a report is believed without its signature',
    seed: 2,
    file: 'worker/http/receive-report.ts',
    find: 'if (!(await verifyMessage(await key(named.data), text, signature, Date.now()))) throw refusal()',
    replace: 'void verifyMessage(await key(named.data), text, signature, Date.now())',
  },
  {
    name: 'a report that is signed for one attempt may be about another',
    seed: 2,
    file: 'worker/http/receive-report.ts',
    find: 'if (!body.success || !isOf(named.data, body.data)) throw refusal()',
    replace: 'if (!body.success) throw refusal()',
  },
  {
    name: 'one key signs the reports of all attempts of a job',
    seed: 2,
    file: 'worker/service/jobs/build-media-job.ts',
    find: '`report:${jobId}:${fence}`',
    replace: '`report:${jobId}`',
  },
  {
    name: 'a transcript that is made once more begins at nothing',
    seed: 2,
    file: 'worker/store/videos/insight-changes.ts',
    find: 'kept: noLess(name, begun ?? 0) })',
    replace: "kept: sql`json_object('progress', 0)` })",
  },
  {
    name: 'an upload to a bucket of a customer is begun, and never dropped',
    seed: 4,
    file: 'worker/durable/courier.ts',
    find: '    for (const begun of dropped) await this.#abort(begun)\n',
    replace: '    void dropped\n',
  },
  {
    name: 'what is made once more lacks its file',
    seed: 2,
    file: 'worker/command/replay-job.ts',
    find: 'const sourceVideoId = video.source ? video.id : undefined',
    replace: 'const sourceVideoId = undefined',
  },
  {
    name: 'an upload is completed without the parts that are missing',
    seed: 1,
    file: 'worker/upload/complete-upload.ts',
    find: '  if (missing.length > 0) throw notReceived(missing)\n',
    replace: '',
  },
  {
    name: 'who follows a video is not told of its new name',
    seed: 2,
    file: 'worker/durable/job/job-runner.ts',
    find: '  rowChanged(): void {\n    this.#live.readAgain()',
    replace: '  rowChanged(): void {',
  },
  {
    name: 'a message that was dealt with comes again',
    seed: 1,
    file: 'worker/queue/consume.ts',
    find: "    log('error', 'a batch could not be canceled further', { batchId, ...describeError(error) })\n  }\n  message.ack()",
    replace:
      "    log('error', 'a batch could not be canceled further', { batchId, ...describeError(error) })\n  }\n  message.retry()",
  },
  {
    name: 'all members of an account are told of its budget',
    seed: 1,
    file: 'worker/store/budgets.ts',
    find: "members.role = 'owner' AND email",
    replace: 'email',
  },
  {
    name: 'a job whose object does not answer is not ended by the sweep',
    seed: 150,
    file: 'worker/queue/sweep-jobs.ts',
    find: 'for (const jobId of silent.slice(0, endedPerTick)) await endIfOverdue(env, jobId, now)',
    replace: 'void [silent, endIfOverdue, endedPerTick]',
  },
  {
    name: 'a turn costs the same whatever the weight of its account',
    seed: 1,
    file: 'worker/store/videos/transitions.ts',
    find: '${accounts.turn} + 1.0 / ${accounts.weight}',
    replace: '${accounts.turn} + 1.0',
  },
  {
    name: 'only the first of several outputs has to be there',
    seed: 2,
    file: 'worker/durable/job/outputs.ts',
    find: 'const missing = needed.find(',
    replace: 'const missing = needed.slice(0, 1).find(',
  },
  {
    name: 'a deletion does not wait until the files are gone',
    seed: 1,
    file: 'worker/command/delete-video.ts',
    find: '  for (const prefix of prefixes) await deleteObjects(env.BUCKET, prefix)\n',
    replace:
      '  void Promise.all(prefixes.map(async (prefix) => deleteObjects(env.BUCKET, prefix)))\n',
  },
]

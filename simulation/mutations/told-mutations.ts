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
]

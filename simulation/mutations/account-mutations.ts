import type { Planted } from './planted.ts'

const keys = 'worker/store/idempotency.ts'
const archive = 'worker/store/videos/leave-database.ts'

/** Faults in what belongs to one account: its keys, its slots, its room, its archive, and what the operator does about it. */
export const accountMutations: readonly Planted[] = [
  {
    name: 'an Idempotency-Key of one API key is answered to another',
    seed: 7002,
    file: keys,
    find: '    eq(idempotencyKeys.keyId, scope.keyId),\n',
    replace: '',
  },
  {
    name: 'an Idempotency-Key for one address is answered at another',
    seed: 7002,
    file: keys,
    find: '    eq(idempotencyKeys.endpoint, scope.endpoint),\n',
    replace: '',
  },
  {
    name: 'a cap counts the jobs of all accounts',
    seed: 7000,
    file: 'worker/store/videos/transitions.ts',
    find: 'w.account_id = ${accounts.id} and w.status',
    replace: 'w.status',
  },
  {
    name: 'a job that has ended counts as one that waits',
    seed: 7000,
    file: 'worker/store/videos/transitions.ts',
    find: 'error: change.jobError ?? null, waits: 0 }',
    replace: 'error: change.jobError ?? null }',
  },
  {
    name: 'an account with a cap is lent slots beyond it',
    seed: 7002,
    file: 'worker/service/line/lending.ts',
    find: '      (maxRunning ?? Infinity) - running - ofAccount,\n',
    replace: '      maxRunning ?? Infinity,\n',
  },
  {
    name: 'a dispatcher that has forgotten what runs lends beyond a cap',
    seed: 200_238,
    file: 'worker/durable/dispatcher.ts',
    find: 'if (isCapped || mayWait)',
    replace: 'if (mayWait)',
  },
  {
    name: 'the archive lacks why a job has failed',
    seed: 7000,
    file: archive,
    find: 'return job ? [{ video, job,',
    replace: 'return job ? [{ video, job: { ...job, error: null },',
  },
  {
    name: 'the archive lacks what was seen in a video',
    seed: 7000,
    file: archive,
    find: 'return job ? [{ video, job,',
    replace: 'return job ? [{ video: { ...video, analysis: null }, job,',
  },
  {
    name: 'the archive has the last attempt alone',
    seed: 7000,
    file: archive,
    find: "attemptsOf.get(job['id']) ?? [] }]",
    replace: "(attemptsOf.get(job['id']) ?? []).slice(-1) }]",
  },
  {
    name: 'the uploads of all accounts take the room of each',
    seed: 7001,
    file: 'worker/store/usage.ts',
    find: 'where account_id = ${accountId} and status in',
    replace: "where ${accountId} <> '' and status in",
  },
  {
    name: 'a new video does not ask whether its account has room',
    seed: 7001,
    file: 'worker/service/videos/submit-video.ts',
    find: '      await refuseOverQuota(env, submit.accountId)\n',
    replace: '',
  },
  {
    name: 'the operator is told the deliveries of other accounts',
    seed: 7000,
    file: 'worker/store/webhooks/deliveries.ts',
    find: '          accountId === undefined ? undefined : eq(deliveries.accountId, accountId),\n          status',
    replace: '          status',
  },
]

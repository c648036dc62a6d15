import { plant, type Planted } from './planted.ts'

const keys = 'worker/store/idempotency.ts'
const archive = 'worker/store/videos/leave-database.ts'

/** Faults in what belongs to one account: its keys, its slots, its room, its archive, and what the operator does about it. */
export const accountMutations: readonly Planted[] = [
  plant('an Idempotency-Key of one API key is answered to another', [keys, 7002], {
    find: '    eq(idempotencyKeys.keyId, scope.keyId),\n',
  }),
  plant('an Idempotency-Key for one address is answered at another', [keys, 7002], {
    find: '    eq(idempotencyKeys.endpoint, scope.endpoint),\n',
  }),
  plant('the job of a video is listed for another account', ['worker/store/jobs/jobs.ts', 9], {
    find: 'selectJobs(db).where(and(eq(jobs.videoId, videoId), eq(jobs.accountId, accountId)))',
    replace: 'selectJobs(db).where(and(eq(jobs.videoId, videoId), sql`${accountId} is not null`))',
  }),
  plant(
    'the webhooks of a video are listed for another account',
    ['worker/store/webhooks/deliveries.ts', 9],
    {
      find: ': and(eq(events.videoId, videoId), sql`+${deliveries.accountId} = ${accountId}`)',
      replace: ': eq(events.videoId, videoId)',
    },
  ),
  plant('a cap counts the jobs of all accounts', ['worker/store/videos/transitions.ts', 7000], {
    find: 'w.account_id = ${accounts.id} and w.status',
    replace: 'w.status',
  }),
  plant(
    'a job that has ended counts as one that waits',
    ['worker/store/videos/transitions.ts', 7000],
    {
      find: 'error: change.jobError ?? null, waits: 0 }',
      replace: 'error: change.jobError ?? null }',
    },
  ),
  plant('an account with a cap is lent slots beyond it', ['worker/service/line/lending.ts', 7002], {
    find: '      (maxRunning ?? Infinity) - running - ofAccount,\n',
    replace: '      maxRunning ?? Infinity,\n',
  }),
  plant(
    'a dispatcher that has forgotten what runs lends beyond a cap',
    ['worker/durable/dispatcher.ts', 200_238],
    {
      find: 'if (isCapped || mayWait)',
      replace: 'if (mayWait)',
    },
  ),
  plant('the archive lacks why a job has failed', [archive, 7000], {
    find: 'return job ? [{ video, job,',
    replace: 'return job ? [{ video, job: { ...job, error: null },',
  }),
  plant('the archive lacks what was seen in a video', [archive, 7000], {
    find: 'return job ? [{ video, job,',
    replace: 'return job ? [{ video: { ...video, analysis: null }, job,',
  }),
  plant('the archive has the last attempt alone', [archive, 7000], {
    find: "attemptsOf.get(job['id']) ?? [] }]",
    replace: "(attemptsOf.get(job['id']) ?? []).slice(-1) }]",
  }),
  plant('the uploads of all accounts take the room of each', ['worker/store/usage.ts', 7001], {
    find: 'where account_id = ${accountId} and status in',
    replace: "where ${accountId} <> '' and status in",
  }),
  plant(
    'a new video does not ask whether its account has room',
    ['worker/service/videos/submit-video.ts', 7001],
    {
      find: '      await refuseOverQuota(env, accountId)\n',
    },
  ),
  plant(
    'the operator is told the deliveries of other accounts',
    ['worker/store/webhooks/deliveries.ts', 7000],
    {
      find: '          accountId === undefined ? undefined : eq(deliveries.accountId, accountId),\n          status',
      replace: '          status',
    },
  ),
  plant(
    'somebody who is refused is told to come back too early',
    'worker/service/limits/rate-limit.ts',
    {
      find: 'Math.ceil((free - now) / 1000))',
      replace: 'Math.floor((free - now) / 1000))',
    },
  ),
  plant('the last owner becomes a member', ['worker/store/people/members.ts', 8], {
    find: "role === 'owner' ? undefined : isNotLastOwner",
    replace: 'undefined',
  }),
  plant('a session never ends', ['worker/store/people/sessions.ts', 8], {
    find: 'eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)',
    replace: 'eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, 0)',
  }),
  plant('each day tells what is kept on the last one', ['worker/service/describe-usage.ts', 22], {
    find: '    kept -= row?.keptBytes ?? 0\n',
  }),
  plant('a full database takes new videos', ['worker/service/limits/database-fill.ts', 22], {
    find: '  await refuseWhenDatabaseIsFull(env, now)\n',
  }),
  plant(
    'a gate does not store what it counts in a new window',
    ['worker/service/limits/rate-limit.ts', 18],
    {
      find: 'known.seconds === seconds && known.startedAt === startedAt && known.count >= count',
      replace: 'known.seconds === seconds && known.count >= count',
    },
  ),
  plant('owners do not hear of a budget that was raised', ['worker/store/people/accounts.ts', 22], {
    find: ', ...(plan.budget !== undefined && { budgetTold: null })',
  }),
  plant('a key that another request holds is free', [keys, 22], {
    find: '    lte(idempotencyKeys.leaseUntil, now),\n',
  }),
]

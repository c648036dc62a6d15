import type {
  AdminAccount,
  AdminAnswer,
  AdminCommand,
  AdminDelivery,
  AdminJob,
  AdminKey,
} from '../../worker/contract/people/admin.ts'
import { fieldList, textTable } from './text-table.ts'

type Describe<Command extends AdminCommand> = (answer: AdminAnswer<Command>) => string

const describers: { [Command in AdminCommand]: Describe<Command> } = {
  'accounts.create': (account) =>
    fieldList([...accountFields(account), ['Webhook secret', account.webhookSecret]]),
  'accounts.change': (account) => fieldList(accountFields(account)),
  'accounts.list': ({ accounts }) =>
    textTable(
      [
        'ACCOUNT',
        'NAME',
        'RATE LIMITS',
        'SOURCES',
        'OUTPUTS',
        'ARCHIVED',
        'WEIGHT',
        'MAX RUNNING',
        'BUDGET',
        'CREATED',
      ],
      accounts.map((account) => accountFields(account).map(([, value]) => value)),
    ),
  'keys.create': (key) =>
    `${fieldList([
      ['API key', key.apiKey],
      ['Key id', key.keyId],
      ['Name', key.name],
      ['Account', key.accountId],
      ['Scopes', key.scopes.join(',')],
      ['Expires', key.expiresAt],
    ])}\n\nKeep the key now: it is not shown again.`,
  'keys.list': ({ keys }) =>
    textTable(
      ['KEY ID', 'NAME', 'ACCOUNT', 'KEY', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'],
      keys.map(keyRow),
    ),
  'keys.revoke': ({ keyId, revokedAt }) => `${keyId} is revoked since ${revokedAt}.`,
  'jobs.list': ({ jobs }) =>
    textTable(
      [
        'JOB',
        'VIDEO',
        'ACCOUNT',
        'STATUS',
        'REASON',
        'ATTEMPTS',
        'DEAD-LETTERED',
        'CREATED',
        'UPDATED',
      ],
      jobs.map(jobRow),
    ),
  'jobs.show': describeJob,
  'jobs.replay': ({ outcome, jobId, videoId }) => `${replays[outcome]} ${jobId} (${videoId}).`,
  'webhooks.list': ({ deliveries }) =>
    textTable(
      ['DELIVERY', 'VIDEO', 'ACCOUNT', 'TYPE', 'STATUS', 'ATTEMPTS', 'LAST', 'URL', 'CREATED'],
      deliveries.map(deliveryRow),
    ),
  'webhooks.replay': ({ deliveryId, webhookId, url }) =>
    `${deliveryId} (${webhookId}) is on its way to ${url} again.`,
  'webhooks.show-secret': describeSecret,
  'webhooks.rotate-secret': describeSecret,
  'people.link': ({ url, expiresAt }) => `${url}\n\nIt works once, until ${expiresAt}.`,
}

const replays = {
  sent: 'Sent again:',
  held: 'A media worker holds it already:',
  created: 'Its end is final; its request was submitted again as',
} as const

/** An answer in a form for people. */
export function describeAnswer<Command extends AdminCommand>(
  command: Command,
  answer: AdminAnswer<Command>,
): string {
  return describers[command](answer)
}

function describeArchiving({ archiveAfterDays }: AdminAccount): string {
  return archiveAfterDays === null ? 'never' : `${archiveAfterDays} days`
}

function accountFields(account: AdminAccount) {
  return [
    ['Account', account.accountId],
    ['Name', account.name],
    ['Rate limits', account.rateLimits ?? 'default plan'],
    ['Sources kept', `${account.retainSourcesDays} days`],
    ['Outputs kept', `${account.retainOutputsDays} days`],
    ['Archived after', describeArchiving(account)],
    ['Weight', account.weight],
    ['Max running', account.maxRunning],
    ['Budget', account.budget],
    ['Created', account.createdAt],
  ] as const
}

function keyRow(key: AdminKey) {
  const { keyId, name, accountId, hint, scopes, createdAt, lastUsedAt, expiresAt, revokedAt } = key
  const grant = [keyId, name, accountId, hint, scopes.join(',')]
  return [...grant, createdAt, lastUsedAt, expiresAt, revokedAt]
}

function jobRow(job: AdminJob) {
  const { jobId, videoId, accountId, status, reason, attempts, createdAt, lastUpdatedAt } = job
  const dead = job.deadLetteredAt
  return [jobId, videoId, accountId, status, reason, attempts, dead, createdAt, lastUpdatedAt]
}

function deliveryRow(delivery: AdminDelivery) {
  const { deliveryId, videoId, accountId, type, status, attempts, url, createdAt } = delivery
  const last = attempts.at(-1)
  const outcome = last && (last.error ?? `${last.statusCode}`)
  return [deliveryId, videoId, accountId, type, status, attempts.length, outcome, url, createdAt]
}

function describeSecret(answer: AdminAnswer<'webhooks.show-secret'>): string {
  return fieldList([
    ['Account', answer.accountId],
    ['Webhook secret', answer.secret],
    ['Previous', answer.previousSecret],
    ['Previous ends', answer.previousExpiresAt],
  ])
}

function describeJob(job: AdminAnswer<'jobs.show'>): string {
  const fields = fieldList([
    ['Job', job.jobId],
    ['Video', job.videoId],
    ['Status', job.status],
    ['Phase', job.phase],
    ['Progress', `${job.progressPercent} %`],
    ['Error', job.error && `${job.error.reason}: ${job.error.message}`],
    ['Created', job.createdAt],
    ['Started', job.startedAt],
    ['Finished', job.finishedAt],
  ])
  const attempts = textTable(
    ['ATTEMPT', 'OUTCOME', 'STARTED', 'FINISHED', 'PHASES'],
    job.attempts.map(({ attempt, outcome, startedAt, finishedAt, phases }) => [
      attempt,
      outcome,
      startedAt,
      finishedAt,
      phases
        .map(({ name, durationMs }) => `${name} ${(durationMs / 1000).toFixed(1)} s`)
        .join(', '),
    ]),
  )
  return `${fields}\n\n${attempts}\n\nCommands and plans: --json`
}

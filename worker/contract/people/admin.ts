import { z } from 'zod'
import { closedObject } from '../input/closed-object.ts'
import { deliveryId, jobId, jobOrVideoId, keyId, videoId } from '../ids.ts'
import { jobRecord } from '../job/job-record.ts'
import { displayName, issuedKey, keyRecord, keyScopes } from './key-record.ts'
import { emailAddress, keptDays } from './people.ts'
import { parseRateLimits } from '../rate-windows.ts'
import { failureReasons } from '../job/report.ts'
import { videoStatuses } from '../video/video-state.ts'
import { worded } from '../answers/wording.ts'
import {
  deliveryRecord,
  deliveryStatuses,
  webhookSecretRecord,
} from '../webhooks/webhook-delivery.ts'
import { timestamp } from '../timestamp.ts'

/** The operator's only route: a signed POST with one of the commands below. */
export const adminPath = '/internal/admin'

const accountId = worded(
  z.string().regex(/^a_[0-9A-Za-z]{1,64}$/),
  'an account id: a_ and letters or digits',
)
const pageSize = worded(
  z.int().min(1, 'Must be from 1 to 100').max(100, 'Must be from 1 to 100'),
  'a whole number from 1 to 100',
)

const rateLimits = worded(
  z.string().superRefine((text, context) => {
    try {
      parseRateLimits(text)
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: error instanceof Error ? error.message : String(error),
      })
    }
  }),
  'windows such as "100/60,1000/3600"',
)

const plan = {
  name: displayName.optional(),
  /** null: the default plan applies, including later changes to it. */
  rateLimits: rateLimits.nullable().optional(),
  retainSourcesDays: keptDays.optional(),
  retainOutputsDays: keptDays.optional(),
  /** null: never. */
  archiveAfterDays: keptDays.nullable().optional(),
  /** How many turns this account gets for each turn of an account with weight 1. */
  weight: worded(
    z.int().min(1, 'Must be from 1 to 1000').max(1000, 'Must be from 1 to 1000'),
    'a whole number from 1 to 1000',
  ).optional(),
  /** null: limited only by the number of slots. */
  maxRunning: z.int().min(1).max(100_000).nullable().optional(),
  /** What the work of a calendar month may cost; null: no limit. */
  budget: z.number().min(0).max(1e9).nullable().optional(),
}
const accountsCreate = closedObject({ command: z.literal('accounts.create'), ...plan })
/** Fields that are absent stay unchanged. */
const accountsChange = closedObject({ command: z.literal('accounts.change'), accountId, ...plan })
const accountsList = closedObject({ command: z.literal('accounts.list') })
const keysCreate = closedObject({
  command: z.literal('keys.create'),
  accountId,
  name: displayName.optional(),
  scopes: keyScopes,
  expiresAt: timestamp.optional(),
})
const keysList = closedObject({
  command: z.literal('keys.list'),
  accountId: accountId.optional(),
})
const keysRevoke = closedObject({ command: z.literal('keys.revoke'), keyId })
const jobsList = closedObject({
  command: z.literal('jobs.list'),
  status: z.enum(videoStatuses).optional(),
  videoId: videoId.optional(),
  limit: pageSize.optional(),
})
const jobsShow = closedObject({ command: z.literal('jobs.show'), jobId: jobOrVideoId })
const jobsReplay = closedObject({ command: z.literal('jobs.replay'), jobId: jobOrVideoId })
const webhooksList = closedObject({
  command: z.literal('webhooks.list'),
  accountId: accountId.optional(),
  status: z.enum(deliveryStatuses).optional(),
  limit: pageSize.optional(),
})
const webhooksReplay = closedObject({ command: z.literal('webhooks.replay'), deliveryId })
const webhooksShowSecret = closedObject({ command: z.literal('webhooks.show-secret'), accountId })
const webhooksRotateSecret = closedObject({
  command: z.literal('webhooks.rotate-secret'),
  accountId,
})

/** A link that signs a person in without a password, once: the person with this address, or the first owner of the account. */
const peopleLink = closedObject({
  command: z.literal('people.link'),
  accountId,
  email: emailAddress.optional(),
})

/** Every command carries a nonce, so that a captured command cannot be sent again. */
export const adminNonce = z.looseObject({
  nonce: z.string().regex(/^[0-9A-Za-z-]{16,64}$/, 'Must be 16 to 64 letters, digits or dashes'),
})

export const adminRequest = z.discriminatedUnion('command', [
  accountsCreate,
  accountsChange,
  accountsList,
  keysCreate,
  keysList,
  keysRevoke,
  jobsList,
  jobsShow,
  jobsReplay,
  webhooksList,
  webhooksReplay,
  webhooksShowSecret,
  webhooksRotateSecret,
  peopleLink,
])
export type AdminRequest = z.infer<typeof adminRequest>
export type AdminCommand = AdminRequest['command']

const adminAccount = z.object({
  accountId,
  name: z.string().nullable(),
  rateLimits: z.string().nullable(),
  retainSourcesDays: z.int(),
  retainOutputsDays: z.int(),
  /** null: never. */
  archiveAfterDays: z.int().nullable(),
  weight: z.int(),
  maxRunning: z.int().nullable(),
  budget: z.number().nullable(),
  createdAt: timestamp,
})

/** The only answer that contains the key itself. */
const adminIssuedKey = issuedKey
  .omit({ hint: true, lastUsedAt: true, revokedAt: true })
  .extend({ accountId })
const adminKey = keyRecord.extend({ accountId })

const adminJob = z.object({
  jobId,
  videoId,
  videoName: z.string(),
  accountId,
  status: z.enum(videoStatuses),
  attempts: z.int().min(0),
  /** Why the job failed; null if it did not fail. */
  reason: z.enum(failureReasons).nullable(),
  deadLetteredAt: timestamp.nullable(),
  createdAt: timestamp,
  lastUpdatedAt: timestamp,
})

/** The API's record of a delivery, and the account it belongs to. */
const adminDelivery = deliveryRecord.extend({ accountId })

/** The answer to each command; a refusal has the API's ErrorBody instead. */
export const adminAnswers = {
  'accounts.create': adminAccount.extend({ webhookSecret: z.string() }),
  'accounts.change': adminAccount,
  'accounts.list': z.object({ accounts: z.array(adminAccount) }),
  'keys.create': adminIssuedKey,
  'keys.list': z.object({ keys: z.array(adminKey) }),
  'keys.revoke': z.object({ keyId, revokedAt: timestamp }),
  'jobs.list': z.object({ jobs: z.array(adminJob) }),
  /** The body of GET /v1/jobs/{jobId}. */
  'jobs.show': jobRecord,
  'jobs.replay': z.object({
    /**
     * `sent`: dispatched to a media worker; `held`: a media worker has it already; `created`: the old job had ended, so
     * there is a new one.
     */
    outcome: z.enum(['sent', 'held', 'created']),
    jobId,
    videoId,
  }),
  'webhooks.list': z.object({ deliveries: z.array(adminDelivery) }),
  'webhooks.replay': adminDelivery,
  'webhooks.show-secret': webhookSecretRecord.extend({ accountId }),
  'webhooks.rotate-secret': webhookSecretRecord.extend({ accountId }),
  'people.link': z.object({ url: z.url(), expiresAt: timestamp }),
} satisfies Record<AdminCommand, z.ZodType>

export type AdminAnswer<Command extends AdminCommand> = z.infer<(typeof adminAnswers)[Command]>
export type AdminAccount = z.infer<typeof adminAccount>
export type AdminKey = z.infer<typeof adminKey>
export type AdminDelivery = z.infer<typeof adminDelivery>
export type AdminJob = z.infer<typeof adminJob>

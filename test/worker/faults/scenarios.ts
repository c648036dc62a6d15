import type { DeliveryStatus } from '../../../worker/contract/webhooks/webhook-delivery.ts'
import type { VideoStatus } from '../../../worker/contract/video/video-state.ts'
import type { Script } from './media-agent.ts'

export type Scenario = {
  title: string
  /** How the video is created: with a JSON body, or with a form that has its file. */
  by: 'json' | 'form'
  /** What the media worker does with the first attempt it takes, the second, and so on; the last one repeats. */
  attempts: readonly Script[]
  /** What the client does once it has its 202. */
  then: 'waits' | 'cancels at once' | 'cancels while it waits' | 'cancels while it runs' | 'deletes'
  /** The queue loses the first message, so that the sweep has to find the job. */
  losesMessage: boolean
  ends: VideoStatus
  /** The answers of the receiver, one after the other; the last one repeats. */
  receiver: readonly number[]
  delivery: DeliveryStatus
  mishaps: 'all' | 'worst'
  /** Its faults are tried in this number of tests. */
  parts: number
  /** Faults are tried from this point to that one; the rest is the same in another scenario. */
  from: string
  until?: string
}

const usual = {
  by: 'json',
  attempts: ['succeed'],
  then: 'waits',
  losesMessage: false,
  ends: 'succeeded',
  receiver: [200],
  delivery: 'succeeded',
  mishaps: 'worst',
  parts: 3,
} as const

const untilItsWebhook = { until: 'D1: select webhook_deliveries' } as const
const untilTheNextAttempt = { until: 'media worker: /jobs #2' } as const

export const videoScenarios: readonly Scenario[] = [
  {
    ...usual,
    title: 'a video from its creation to its webhook',
    attempts: ['succeed with a thumbnail'],
    mishaps: 'all',
    parts: 8,
    from: 'says: create',
  },
  {
    ...usual,
    title: 'a video whose file came with the request',
    by: 'form',
    from: 'says: create',
    until: 'D1: select jobs',
  },
  {
    ...usual,
    title: 'a video that is deleted when it has ended',
    then: 'deletes',
    from: 'says: delete',
  },
]

export const attemptScenarios: readonly Scenario[] = [
  {
    ...usual,
    ...untilItsWebhook,
    title: 'a video that is canceled while it waits',
    then: 'cancels while it waits',
    ends: 'canceled',
    from: 'says: cancel',
  },
  {
    ...usual,
    ...untilItsWebhook,
    title: 'a video that is canceled while it runs',
    attempts: ['work long'],
    then: 'cancels while it runs',
    ends: 'canceled',
    from: 'says: cancel',
  },
  {
    ...usual,
    ...untilTheNextAttempt,
    title: 'a second attempt after one that failed',
    attempts: ['fail', 'succeed'],
    from: 'says: failed',
  },
  {
    ...usual,
    ...untilTheNextAttempt,
    title: 'a second attempt after a media worker that was shut down',
    attempts: ['release', 'succeed'],
    from: 'says: released',
  },
  {
    ...usual,
    ...untilTheNextAttempt,
    title: 'a second attempt after a lease that ran out',
    attempts: ['say nothing', 'succeed'],
    from: 'D1: select jobs #2',
  },
  {
    ...usual,
    ...untilItsWebhook,
    title: 'a video that failed as often as it may',
    attempts: ['fail'],
    ends: 'failed',
    from: 'says: failed #3',
  },
  {
    ...usual,
    title: 'a job whose message was lost',
    losesMessage: true,
    from: 'D1: select jobs',
    until: 'D1: select webhook_deliveries',
  },
]

const quickly = { ...usual, then: 'cancels at once', ends: 'canceled' } as const

export const webhookScenarios: readonly Scenario[] = [
  {
    ...quickly,
    title: 'a webhook that is heard the second time',
    receiver: [500, 200],
    from: 'receiver: POST',
  },
  {
    ...quickly,
    title: 'a webhook that nobody hears',
    receiver: [500, 500, 500, 500, 500, 500, 500, 500],
    delivery: 'exhausted',
    from: 'receiver: POST #8',
  },
]

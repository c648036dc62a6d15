import { mintId } from '../../contract/ids.ts'
import type { VideoEventType, WebhookEventType } from '../../contract/webhooks/webhook-event.ts'
import type { EndpointToTell } from '../../store/jobs/jobs.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'
import type { ToldDelivery, ToldEvent } from '../../store/webhooks/tell.ts'
import { describeVideo, type LinkMaker } from '../videos/describe-video.ts'
import { webhookBody } from './sign-webhook.ts'

type AskedEvent = {
  accountId: string
  type: WebhookEventType
  /** The address that the request names. */
  webhookUrl: string | undefined
  /** Those of the account that get events. */
  endpoints: readonly EndpointToTell[]
}

/** An event with its deliveries; undefined if nobody is to be told. An address that is an endpoint too gets one. */
export async function eventFor(
  { accountId, type, webhookUrl, endpoints }: AskedEvent,
  bodyOf: () => Promise<string>,
): Promise<ToldEvent | undefined> {
  const told = endpoints.filter(
    ({ url, eventTypes }) => url !== webhookUrl && (eventTypes?.includes(type) ?? true),
  )
  const [first, ...more] = [
    ...(webhookUrl === undefined ? [] : [{ url: webhookUrl, endpointId: null }]),
    ...told.map(({ id, url }) => ({ url, endpointId: id })),
  ].map((one): ToldDelivery => ({ deliveryId: mintId('dlv'), ...one }))
  return first && { accountId, type, body: await bodyOf(), deliveries: [first, ...more] }
}

/** An event about a video, which tells its record. */
export async function videoEventFor(
  video: ShownVideo,
  type: VideoEventType,
  { endpoints, now, linkTo }: Pick<AskedEvent, 'endpoints'> & { now: number; linkTo: LinkMaker },
): Promise<ToldEvent | undefined> {
  const { accountId, request } = video
  const asked = { accountId, type, webhookUrl: request.webhookUrl, endpoints }
  return eventFor(asked, async () => webhookBody(type, now, await describeVideo(video, linkTo)))
}

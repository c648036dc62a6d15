import type { World } from '../engine/world.ts'
import type { Bucket } from '../platform/bucket.ts'
import type { Deployment } from '../platform/deployment.ts'
import type { Account } from './account.ts'
import type { Exchange } from './exchange.ts'
import { unevenFilmInParts } from './media/film-parts.ts'

/** How often a container does not receive the request to end. */
const unheard = 0.4

type Sending = { bucket: Bucket; deployment: Deployment; exchange: Exchange; world: World }

/**
 * A film whose parts take different times, while nothing else is made and nothing fails but the bucket, which refuses the
 * result at first: no slot may stay with it in vain, and no attempt may be lost. Or a container is not ended with its part, and
 * has to find out by itself.
 */
export async function sendUnevenFilm(
  { bucket, deployment, exchange, world }: Sending,
  { name, key }: Account,
): Promise<void> {
  if (world.draw('unheard end') < unheard)
    deployment.objects.JOB_RUNNER.meet('releaseSlot', async () => {
      world.faults.noteHarm()
      throw new Error('Network connection lost.')
    })
  else bucket.failSoon()
  const body = { fileUrl: `https://sources.example.com/${unevenFilmInParts}.mp4`, reuse: false }
  await exchange.ask({ who: `${name} unevenly`, method: 'POST', path: '/v1/videos', key, body })
}

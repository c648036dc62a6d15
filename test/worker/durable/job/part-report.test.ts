import { expect, it, vi } from 'vitest'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { FilmLead, PartHand } from '../../../support/worker/film.ts'
import { healthAnswer } from '../../../support/worker/media-workers.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { aRunningVideo } from '../../../support/worker/videos.ts'

const { media } = standInForAll()

it('a part that is made is reported again while the bucket is down for longer than its lease', async () => {
  const { attempt } = await aRunningVideo()
  media.current.answerHealth = () => healthAnswer({ slots: 4, running: 0 })
  const lead = new FilmLead(attempt.job)
  await lead.give(0)
  const [offer] = media.current.partOffers
  if (!offer) throw new Error('the part was offered to nobody')
  const hand = new PartHand(offer.part)
  const prototype = prototypeOf(bindings.BUCKET.resumeMultipartUpload('none', 'none'))
  const down = vi.spyOn(prototype, 'complete').mockRejectedValue(new Error('(10001)'))
  for (let i = 0; i < 3; i++) {
    advanceSeconds(40)
    expect((await hand.finish()).status).toBeGreaterThanOrEqual(500)
    await attempt.progress(10)
  }
  down.mockRestore()
  expect((await hand.finish()).json).toEqual({ action: 'stop' })
  expect(await lead.states({ n: 0, try: 1 })).toMatchObject([{ state: 'stored' }])
})

import { expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { send } from '../../support/worker/client.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { aFinishedVideo } from '../../support/worker/videos.ts'

standInForAll()

it('a name whose cut would fall inside a character makes a record, a list and a link, wherever the character stands', async () => {
  const client = await aClient()
  for (const offset of [118, 119, 120, 121]) {
    const videoName = `${'a'.repeat(offset)}🎬 clip`
    const { videoId } = await aFinishedVideo(client, {
      videoName,
      webhookUrl: 'https://example.com/hook',
    })
    const { status, json } = await client.get(`/v1/videos/${videoId}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ status: 'succeeded', videoName })
    expect((await send(new URL(String(json['finalVideoUrl'])).pathname)).status).toBe(200)
  }
  expect((await client.get('/v1/videos')).status).toBe(200)
})

import { describe, expect, it } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { aFinishedVideo, aVideo, videoRow } from '../../../support/worker/videos.ts'
import { anOwner } from '../../../support/worker/dashboard/visitor.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

async function aSignedInClient() {
  const client = await aClient()
  return { client, owner: await anOwner(client.accountId) }
}

describe('the form of the list', () => {
  it('cancels what was chosen, and says how many had ended before', async () => {
    const { client, owner } = await aSignedInClient()
    const waiting = [await aVideo(client), await aVideo(client)].map(({ videoId }) => videoId)
    const { videoId: finished } = await aFinishedVideo(client)
    const answer = await owner.submit('/app/videos', {
      action: 'cancel-confirmed',
      videoId: [...waiting, finished],
      back: '/app/videos?status=queued',
    })
    expect(answer.status).toBe(303)
    const next = answer.headers.get('Location') ?? ''
    expect(next).toBe('/app/videos?status=queued&done=canceled.2.1')
    expect((await owner.get(next)).text).toContain('2 videos canceled. 1 video had already ended.')
    const rows = await Promise.all([...waiting, finished].map(videoRow))
    expect(rows.map((row) => row?.status)).toEqual(['canceled', 'canceled', 'succeeded'])
  })

  it('deletes what was chosen, and cancels first what is still being made', async () => {
    const { client, owner } = await aSignedInClient()
    const ids = [(await aVideo(client)).videoId, (await aFinishedVideo(client)).videoId]
    const answer = await owner.submit('/app/videos', { action: 'delete-confirmed', videoId: ids })
    expect(answer.headers.get('Location')).toBe('/app/videos?done=deleted.2.0')
    expect(await Promise.all(ids.map(videoRow))).toEqual([undefined, undefined])
  })

  it('asks first, by name, where no script has asked', async () => {
    const { client, owner } = await aSignedInClient()
    const { videoId } = await aVideo(client, { videoName: 'my <talk>' })
    const asked = await owner.submit('/app/videos', { action: 'delete', videoId })
    expect(asked.status).toBe(200)
    expect(asked.text).toContain('Delete 1 video?')
    expect(asked.text).toContain('my &lt;talk&gt;')
    expect(asked.text).toContain('value="delete-confirmed"')
    expect((await videoRow(videoId))?.status).toBe('queued')
  })

  it('says so when nothing was chosen', async () => {
    const { owner } = await aSignedInClient()
    const answer = await owner.submit('/app/videos', { action: 'delete' })
    const next = await owner.get(answer.headers.get('Location') ?? '')
    expect(next.text).toContain('No videos were selected')
  })

  it('does nothing to a video of another account', async () => {
    const { client } = await aSignedInClient()
    const { videoId } = await aVideo(client, { videoName: 'secret plan' })
    const stranger = await anOwner()
    for (const action of ['cancel', 'delete'] as const) {
      const asked = await stranger.submit('/app/videos', { action, videoId })
      expect(asked.text).not.toContain('secret plan')
      await stranger.submit('/app/videos', { action: `${action}-confirmed`, videoId })
    }
    expect((await videoRow(videoId))?.status).toBe('queued')
  })

  it('leads back to the dashboard only', async () => {
    const { client, owner } = await aSignedInClient()
    for (const back of [
      'https://evil.example/',
      '//evil.example',
      '/app/videos\r\nX: y',
      '/app/..//x',
    ]) {
      const { videoId } = await aVideo(client)
      const answer = await owner.submit('/app/videos', {
        action: 'cancel-confirmed',
        videoId,
        back,
      })
      expect(answer.headers.get('Location')).toBe('/app/videos?done=canceled.1.0')
    }
  })

  it('leads from the page of a deleted video to the list', async () => {
    const { client, owner } = await aSignedInClient()
    const { videoId } = await aVideo(client)
    const back = `/app/videos/${videoId}`
    const answer = await owner.submit('/app/videos', { action: 'delete-confirmed', videoId, back })
    expect(answer.headers.get('Location')).toBe('/app/videos?done=deleted.1.0')
  })

  it('refuses a form that the page did not make', async () => {
    const { owner } = await aSignedInClient()
    for (const fields of [{ action: 'burn' }, { action: 'cancel', videoId: "v_'; --" }, {}]) {
      expect((await owner.submit('/app/videos', fields)).status).toBe(400)
    }
  })
})

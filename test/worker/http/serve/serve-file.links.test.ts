import { describe, expect, it } from 'vitest'
import { bindings } from '../../../support/worker/bindings.ts'
import { refusal, send } from '../../../support/worker/client.ts'
import {
  aFile,
  fileAt,
  ofPart,
  withoutQuery,
  versionOf,
  whole,
} from '../../../support/worker/clients/files.ts'
import { recordStatements } from '../../../support/worker/platform/statements.ts'
import { aFinishedVideo, finalText } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

describe('a link to a file', () => {
  it('refuses a link that was changed in any part, and one for another file', async () => {
    const file = await aFile()
    const other = await aFile()
    const forged = {
      status: 403,
      error: 'Forbidden',
      message: 'This link is not valid. Check that it was copied whole.',
    }
    const [, , token = '', name = ''] = withoutQuery(file).path.split('/')
    const [videoId, kind, expiry, mac] = [0, 1, 2, 3].map((i) => token.split('.')[i] ?? '')
    const query = new URL(file.path, 'http://files').search
    const ask = async (changed: string) => {
      const refused = refusal(await send(`/files/${changed}/${name}`))
      expect(refusal(await send(`/files/${changed}/${name}${query}`))).toEqual(refused)
      return refused
    }
    expect(await ask(`${other.videoId}.${kind}.${expiry}.${mac}`)).toEqual(forged)
    expect(await ask(`${videoId}.thumbnail.${expiry}.${mac}`)).toEqual(forged)
    expect(await ask(`${videoId}.${kind}.${Number(expiry) + 1}.${mac}`)).toEqual(forged)
    expect(await ask(`${videoId}.${kind}.${expiry}.${'0'.repeat(64)}`)).toEqual(forged)
    expect(await ask(token.slice(0, -1))).toEqual(forged)
    expect(await ask('nothing')).toEqual(forged)
  })

  it('asks the database nothing, whatever part is wanted', async () => {
    const file = await aFile()
    const { etag } = await versionOf(file)
    const log = recordStatements()
    for (let offset = 0; offset < 26; offset++) {
      const answer = await file.get({ Range: `bytes=${offset}-${offset}` })
      expect(answer.text).toBe(finalText[offset])
    }
    await file.get({ 'If-None-Match': etag })
    await send(file.path, { method: 'HEAD' })
    await send(`${file.path}?download=1`)
    expect(log.texts).toEqual([])
  })

  it('serves a link that has lost its query, as the row of the video says', async () => {
    const file = withoutQuery(await aFile({ videoName: 'clip' }))
    const log = recordStatements()
    const answer = await file.get({ Range: 'bytes=0-4' })
    expect(ofPart(answer)).toMatchObject({ status: 206, text: 'abcde', range: 'bytes 0-4/26' })
    expect(answer.headers.get('Content-Disposition')).toContain('filename="clip.mp4"')
    expect(log.calls).toBe(1)
    await bindings.DB.prepare('UPDATE videos SET files_expire_at = ?').bind(Date.now()).run()
    expect((await file.get()).status).toBe(404)
  })

  it('shows its own name and file to a link whose name or query was changed', async () => {
    const file = await aFile({ videoName: 'clip' })
    const [address = '', query = ''] = file.path.split('?')
    const changed = [
      `${address.replace('clip.mp4', 'invoice.exe')}?${query}`,
      `${address}?${query.replace('object=1.', 'object=2.')}`,
      `${address}?${query.replace('.26.', '.5.')}`,
      `${address}?${query.replace('mp4', 'exe')}`,
      `${address}?${query.slice(0, -1)}`,
      `${address}?object=`,
    ]
    for (const path of changed) {
      const answer = await send(path)
      expect(ofPart(answer)).toEqual(whole)
      expect(answer.headers.get('Content-Disposition')).toContain('filename="clip.mp4"')
    }
  })

  it('ends at once when the video is deleted, also for copies that were kept', async () => {
    const { client, videoId } = await aFinishedVideo()
    const { json } = await client.get(`/v1/videos/${videoId}`)
    const file = fileAt(
      String(json['finalVideoUrl']).replace('https://files.spool.test', ''),
      videoId,
    )
    const { etag, modified } = await versionOf(file)
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    const kept = [
      {},
      { Range: 'bytes=5-9' },
      { Range: 'bytes=5-9', 'If-Range': etag },
      { Range: 'bytes=99-' },
      { 'If-None-Match': etag },
      { 'If-Modified-Since': modified },
    ]
    for (const headers of kept) {
      expect((await file.get(headers)).status).toBe(404)
      expect((await withoutQuery(file).get(headers)).status).toBe(404)
    }
  })
})

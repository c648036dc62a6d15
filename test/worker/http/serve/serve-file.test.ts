import { describe, expect, it, vi } from 'vitest'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { refusal, send } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import {
  aFile,
  ofPart,
  versionOf,
  whole,
  type Headings,
  fileAt,
  withoutQuery,
} from '../../../support/worker/clients/files.ts'
import { objectKeys, aFinishedVideo } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { recordStatements } from '../../../support/worker/platform/statements.ts'
import { finalText } from '../../../support/worker/attempt.ts'

standInForAll()

describe('serveFile', () => {
  it('gives the whole file with everything a player needs to know', async () => {
    const file = await aFile({ videoName: 'clip' })
    const answer = await file.get()
    expect(ofPart(answer)).toEqual(whole)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-disposition': `inline; filename="clip.mp4"; filename*=UTF-8''clip.mp4`,
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[^"]+"$/) as string,
      'last-modified': expect.stringMatching(/GMT$/) as string,
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
  })

  it('needs no key, and is not counted', async () => {
    const file = await aFile()
    expect((await file.get()).headers.has('X-RateLimit-Limit')).toBe(false)
  })

  it('shows a thumbnail in place instead of saving it', async () => {
    const file = await aFile({ videoName: 'clip', enableThumbnail: true }, 'thumbnailUrl')
    const answer = await file.get()
    expect(answer).toMatchObject({ status: 200, text: 'a still' })
    expect(answer.headers.get('Content-Type')).toBe('image/jpeg')
    expect(answer.headers.get('Content-Disposition')).toMatch(/^inline; filename="clip\.jpg"/)
  })

  it('saves the file under its name if the link asks for that, and shows it otherwise', async () => {
    const { path } = await aFile({ videoName: 'Übung 1' })
    const named = `filename="_bung 1.mp4"; filename*=UTF-8''%C3%9Cbung%201.mp4`
    for (const query of [
      '?download=1',
      '?download=true',
      '?download',
      '?utm_source=x&download=1',
      '&download=1',
    ]) {
      const answer = await send(path + query)
      expect(answer.headers.get('Content-Disposition')).toBe(`attachment; ${named}`)
      expect(answer.text).toBe(finalText)
    }
    for (const query of ['', '?download=0', '?download=no', '?utm_source=x']) {
      expect((await send(path + query)).headers.get('Content-Disposition')).toBe(`inline; ${named}`)
    }
  })

  it('may be read by a page of any origin, also in parts', async () => {
    const { path } = await aFile()
    const preflight = await send(path, {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Range')
    const answer = await send(path, { headers: { Range: 'bytes=0-1' } })
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('Content-Range')
  })

  it('answers HEAD as GET, without the bytes', async () => {
    const file = await aFile()
    const answer = await send(file.path, { method: 'HEAD' })
    expect(ofPart(answer)).toEqual({ ...whole, text: '' })
    expect(answer.headers.get('ETag')).toBe((await file.get()).headers.get('ETag'))
    const statusWith = async (headers: Headings, path = file.path) =>
      (await send(path, { method: 'HEAD', headers })).status
    expect(await statusWith({ 'If-None-Match': '*' })).toBe(304)
    expect(await statusWith({ 'If-Match': '"other"' })).toBe(412)
    expect(await statusWith({}, '/files/forged/a.mp4')).toBe(403)
  })

  it('gives the bytes that were asked for', async () => {
    const file = await aFile()
    const part = async (range: string) => ofPart(await file.get({ Range: range }))
    const expected = (text: string, first: number) => ({
      status: 206,
      text,
      length: String(text.length),
      range: `bytes ${first}-${first + text.length - 1}/26`,
    })
    expect(await part('bytes=0-0')).toEqual(expected('a', 0))
    expect(await part('bytes=0-4')).toEqual(expected('abcde', 0))
    expect(await part('Bytes=0-4')).toEqual(expected('abcde', 0))
    expect(await part('bytes=10-12')).toEqual(expected('klm', 10))
    expect(await part('bytes=20-')).toEqual(expected('uvwxyz', 20))
    expect(await part('bytes=-3')).toEqual(expected('xyz', 23))
    expect(await part('bytes=20-999')).toEqual(expected('uvwxyz', 20))
    expect(await part('bytes=-999')).toEqual(expected(finalText, 0))
    expect(await part('bytes=0-')).toEqual(expected(finalText, 0))
  })

  it('says 416 with the size for a range after the end', async () => {
    const file = await aFile()
    const beyond = { status: 416, text: '', length: '0', range: 'bytes */26' }
    const part = async (range: string) => {
      const { status, text, range: known } = ofPart(await file.get({ Range: range }))
      return { status, text, length: '0', range: known }
    }
    expect(await part('bytes=26-')).toEqual(beyond)
    expect(await part('bytes=26-30')).toEqual(beyond)
    expect(await part('bytes=-0')).toEqual(beyond)
    expect(await part('bytes=99999999999999999999-')).toEqual(beyond)
  })

  it('gives the whole file for several ranges, other units and nonsense', async () => {
    const file = await aFile()
    const part = async (range: string) => ofPart(await file.get({ Range: range }))
    expect(await part('bytes=0-1,4-5')).toEqual(whole)
    expect(await part('bytes=5-2')).toEqual(whole)
    expect(await part('bytes=-')).toEqual(whole)
    expect(await part('bytes=a-b')).toEqual(whole)
    expect(await part('seconds=0-1')).toEqual(whole)
  })

  it('ignores the range of a HEAD', async () => {
    const file = await aFile()
    const answer = await send(file.path, { method: 'HEAD', headers: { Range: 'bytes=0-4' } })
    expect(ofPart(answer)).toEqual({ ...whole, text: '' })
  })

  it('sends nothing that the client already has', async () => {
    const file = await aFile()
    const { etag, modified, earlier } = await versionOf(file)
    const statusWith = async (headers: Headings) => (await file.get(headers)).status
    expect(await statusWith({ 'If-None-Match': etag })).toBe(304)
    expect(await statusWith({ 'If-None-Match': `"other", W/${etag}` })).toBe(304)
    expect(await statusWith({ 'If-None-Match': '*' })).toBe(304)
    expect(await statusWith({ 'If-None-Match': '"other"' })).toBe(200)
    expect(await statusWith({ 'If-None-Match': 'no quotes at all' })).toBe(200)
    expect(await statusWith({ 'If-Modified-Since': modified })).toBe(304)
    expect(await statusWith({ 'If-Modified-Since': earlier })).toBe(200)
    expect(await statusWith({ 'If-Modified-Since': 'yesterday-ish' })).toBe(200)
    const both = { 'If-None-Match': '"other"', 'If-Modified-Since': modified }
    expect(await statusWith(both)).toBe(200)
    expect((await file.get({ 'If-None-Match': etag })).headers.get('ETag')).toBe(etag)
  })

  it('says 412 when the file is not the one that was meant', async () => {
    const file = await aFile()
    const { etag, modified, earlier } = await versionOf(file)
    const statusWith = async (headers: Headings) => (await file.get(headers)).status
    expect(await statusWith({ 'If-Match': etag })).toBe(200)
    expect(await statusWith({ 'If-Match': '*' })).toBe(200)
    expect(await statusWith({ 'If-Match': '"other"' })).toBe(412)
    // A weak tag never proves that the bytes are the same.
    expect(await statusWith({ 'If-Match': `W/${etag}` })).toBe(412)
    expect(await statusWith({ 'If-Unmodified-Since': earlier })).toBe(412)
    expect(await statusWith({ 'If-Unmodified-Since': modified })).toBe(200)
  })

  it('continues with a range only if the file is still the same', async () => {
    const file = await aFile()
    const { etag, modified, earlier } = await versionOf(file)
    const answerTo = async (ifRange: string, Range = 'bytes=0-4') =>
      ofPart(await file.get({ Range, 'If-Range': ifRange }))
    expect(await answerTo(etag)).toMatchObject({ status: 206, text: 'abcde' })
    expect(await answerTo(modified)).toMatchObject({ status: 206, text: 'abcde' })
    expect(await answerTo('"other"')).toEqual(whole)
    expect(await answerTo(`W/${etag}`)).toEqual(whole)
    expect(await answerTo(earlier)).toEqual(whole)
    expect(await answerTo('"other"', 'bytes=26-')).toEqual(whole)
    expect(await answerTo(etag, 'bytes=26-')).toMatchObject({ status: 416 })
  })

  it('writes any name so that every client understands it', async () => {
    const file = await aFile({ videoName: `He said "hi" – 100% déjà/vu \\ (1)'🎬` })
    const disposition = (await file.get()).headers.get('Content-Disposition') ?? ''
    expect(disposition).toMatch(/^inline; filename="[\x20-\x7e]+"; filename\*=UTF-8''\S+$/)
    const plain = /filename="([^"]*)"/.exec(disposition)?.[1]
    expect(plain).toBe("He said _hi_ _ 100_ d_j__vu _ (1)'__.mp4")
    const encoded = /filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1] ?? ''
    expect(encoded).not.toMatch(/['()*]/)
    expect(decodeURIComponent(encoded)).toBe("He said _hi_ – 100% déjà_vu _ (1)'🎬.mp4")
  })

  it('works until its second of expiry, and then says how to get another', async () => {
    const file = await aFile()
    advanceSeconds(7 * 86_400 - 1)
    expect((await file.get()).status).toBe(200)
    advanceSeconds(1)
    expect(refusal(await file.get())).toEqual({
      status: 403,
      error: 'Forbidden',
      message:
        'This link has expired. The person who sent it to you can get a new one from the record of the video.',
    })
  })

  it('tells a person this on a page, and a program in JSON', async () => {
    const file = await aFile()
    advanceSeconds(7 * 86_400)
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const page = await file.get({ Accept: browser })
    expect(page.status).toBe(403)
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=UTF-8')
    expect(page.headers.get('Vary')).toBe('Accept')
    expect(page.text).toContain('<h1>This link has expired.</h1><p>The person who sent it to you')
    for (const Accept of [
      '*/*',
      'application/json',
      'video/*,*/*;q=0.5',
      'application/json, text/html;q=0.5',
    ]) {
      expect(await file.get({ Accept })).toMatchObject({
        status: 403,
        json: { error: 'Forbidden' },
      })
    }
  })

  it('is a 404 when the object is gone, and a 500 when R2 fails', async () => {
    const file = await aFile()
    await bindings.BUCKET.delete(await objectKeys(file.videoId))
    expect((await file.get()).status).toBe(404)
    expect((await send(file.path, { method: 'HEAD' })).status).toBe(404)
    const broken = vi.spyOn(prototypeOf(bindings.BUCKET), 'get')
    broken.mockRejectedValue(new Error('R2 is down'))
    expect(await file.get()).toMatchObject({ status: 500, json: { error: 'StorageError' } })
    const page = await file.get({ Accept: 'text/html' })
    expect(page.status).toBe(500)
    expect(page.text).toContain(`<code>${page.headers.get('X-Request-Id')}</code>`)
    expect(page.text).not.toContain('R2 is down')
  })
})

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

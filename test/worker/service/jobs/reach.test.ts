import { describe, expect, it } from 'vitest'
import { reachOf, readRelay } from '../../../../worker/service/jobs/reach.ts'
import { readSettings, type Settings } from '../../../../worker/settings.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { send } from '../../../support/worker/client.ts'

const [beside = '', far = ''] = bindings.MEDIA_WORKER_URLS.split(',')
const alone = readSettings(bindings)
const settings: Settings = {
  ...alone,
  reportUrl: 'https://video.example.com',
  near: { url: 'http://127.0.0.1:8787', workers: [beside] },
}
const signed = `${settings.s3.endpoint}/videos/v_1/final.mp4?partNumber=1&X-Amz-Signature=abc`

function tokenOf(address: string): string {
  const [, token = ''] = address.split('https://video.example.com/internal/storage/')
  return token
}

describe('reachOf', () => {
  it('lets a media worker beside the service use the addresses of the machine', async () => {
    const reach = reachOf(settings, beside)
    expect(reach.reportUrl).toBe('http://127.0.0.1:8787')
    expect(await reach.storage(signed)).toBe(signed)
    expect(reach.files).toBeUndefined()
  })

  it('gives one on another machine addresses that it can reach, for the bucket and for files too', async () => {
    const reach = reachOf(settings, far)
    expect([reach.reportUrl, reach.files]).toEqual([settings.reportUrl, settings.reportUrl])
    const token = tokenOf(await reach.storage(signed))
    expect(token).toMatch(/^[\w-]+\.[0-9a-f]{64}$/)
    expect(await readRelay(settings, token)).toBe(signed)
  })

  it('gives all of them the same addresses where the bucket can be reached from everywhere', async () => {
    const reach = reachOf(alone, far)
    expect(reach.reportUrl).toBe(alone.reportUrl)
    expect(await reach.storage(signed)).toBe(signed)
  })
})

describe('readRelay', () => {
  it('knows no address that the service has not signed', async () => {
    const token = tokenOf(await reachOf(settings, far).storage(signed))
    const [text = '', mac = ''] = token.split('.')
    const other = btoa('../../scheduled').replaceAll('=', '')
    for (const forged of [`${other}.${mac}`, `${text}.${'0'.repeat(64)}`, text, `!.${mac}`, '']) {
      expect(await readRelay(settings, forged)).toBeUndefined()
    }
    expect(await readRelay({ ...settings, secret: `${settings.secret} ` }, token)).toBeUndefined()
    expect(await readRelay(alone, token)).toBeUndefined()
  })

  it('makes the route refuse everything where no media worker needs it', async () => {
    const token = tokenOf(await reachOf(settings, far).storage(signed))
    for (const method of ['GET', 'PUT']) {
      expect(await send(`/internal/storage/${token}`, { method })).toMatchObject({ status: 403 })
    }
  })
})

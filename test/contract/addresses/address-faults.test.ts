import { describe, expect, it } from 'vitest'
import { addressFaults } from '../../../worker/contract/addresses/address-faults.ts'
import { parseCreateVideo } from '../../../worker/contract/options/create-video.ts'
import { addressesNamed } from '../../../worker/contract/storages/named-storages.ts'
import { parseOwnHosts, parseOwnPorts } from '../../../worker/contract/addresses/own-service.ts'
import { parseAllowedHosts } from '../../../worker/contract/addresses/public-url.ts'

const privateFault = 'Must not lead to a private or local address'
const portFault = 'Must use port 80, 443, 8080 or 8443'
const ownFault = 'Must not be an address of this service'
const httpsFault = 'Must be an https:// address'

describe('addressFaults', () => {
  const policy = {
    allowed: parseAllowedHosts('localhost,127.0.0.1'),
    own: {
      origins: ['http://127.0.0.1:8787', 'https://api.spool.example'],
      files: 'http://127.0.0.1:8787',
      ports: new Set<number>(),
      hosts: new Set<string>(),
    },
  }

  it('finds every faulty address of a body by its field', () => {
    const body = {
      fileUrl: 'http://10.0.0.1/a.mp4',
      webhookUrl: 'https://metadata.google.internal/',
      files: [{ url: 'https://example.com/a.mp4' }, { url: 'http://example.com:22/' }],
      elements: [{ type: 'image', url: 'https://[fd00::1]/a.png' }],
      background: 'https://[fd00::1]/a.png',
      waveform: { background: 'http://10.0.0.1/a.png' },
    }
    expect(addressFaults(body, policy)).toEqual([
      { field: 'fileUrl', message: privateFault },
      { field: 'webhookUrl', message: privateFault },
      { field: 'files[1].url', message: portFault },
      { field: 'elements[0].url', message: privateFault },
      { field: 'background', message: privateFault },
      { field: 'waveform.background', message: privateFault },
    ])
  })

  it('judges every address that a job would fetch', () => {
    const url = 'https://[fd00::1]/a'
    const request = parseCreateVideo({
      ...{ fileUrl: url, background: url, waveform: { background: url } },
      ...{
        captions: { font: url, source: { url } },
        color: { lutUrl: url },
        audio: { replaceUrl: url },
      },
      elements: [
        { type: 'image', url },
        { type: 'text', text: 'A', font: url },
      ],
    })
    const body = request.ok ? request.value : {}
    const named = addressesNamed(body).map(({ field }) => field)
    expect(named).toContain('color.lutUrl')
    expect(addressFaults(body, policy).map(({ field }) => field)).toEqual(
      expect.arrayContaining(named),
    )
  })

  it('accepts public addresses and those of allowed hosts', () => {
    const body = {
      fileUrl: 'http://localhost:9000/a.mp4',
      webhookUrl: 'http://127.0.0.1:9999/hook',
      elements: [{ url: 'https://cdn.example.com/a.png' }],
    }
    expect(addressFaults(body, policy)).toEqual([])
  })

  it('skips what the schema refuses by its spelling', () => {
    const body = {
      fileUrl: 'file:///etc/passwd',
      webhookUrl: 17,
      files: [null, 'http://127.0.0.1', {}, { url: ' http://10.0.0.1' }, { url: '//10.0.0.1/x' }],
      elements: [{ url: 'http://a:b@10.0.0.1/' }, { url: `http://10.0.0.1/${'a'.repeat(2048)}` }],
    }
    expect(addressFaults(body, policy)).toEqual([])
  })

  it.each([null, undefined, 1, 'text', [], true])('finds nothing in the body %j', (body) => {
    expect(addressFaults(body, policy)).toEqual([])
  })

  it('does not look at inherited properties', () => {
    const body: unknown = Object.create({ fileUrl: 'http://10.0.0.1/' })
    expect(addressFaults(body, policy)).toEqual([])
  })

  it('checks at most one entry more than a list may have', () => {
    const entry = { url: 'http://10.0.0.1/' }
    const body = { files: Array(200_000).fill(entry), elements: Array(200_000).fill(entry) }
    const fields = addressFaults(body, policy).map((fault) => fault.field)
    expect(fields).toHaveLength(102)
    expect(fields.at(50)).toBe('files[50].url')
    expect(fields.at(-1)).toBe('elements[50].url')
  })

  it.each([
    'http://127.0.0.1:8787/v1/videos',
    'http://127.0.0.1:8787/',
    'http://2130706433:8787/v1/videos',
    'https://api.spool.example/v1/videos',
    'https://api.spool.example/files/token/a.mp4',
  ])('refuses our own address %s as a source', (fileUrl) => {
    expect(addressFaults({ fileUrl }, policy)).toEqual([{ field: 'fileUrl', message: ownFault }])
  })

  it('accepts a link of a record as a source, never as a webhook', () => {
    const url = 'http://127.0.0.1:8787/files/token/final.mp4'
    expect(addressFaults({ fileUrl: url, elements: [{ url }], files: [{ url }] }, policy)).toEqual(
      [],
    )
    expect(addressFaults({ webhookUrl: url }, policy)).toEqual([
      { field: 'webhookUrl', message: ownFault },
    ])
  })

  it.each(['http://127.0.0.1:8787', 'http://10.0.0.5:9000'])(
    'takes links and clips of a service at %s where no private host is allowed',
    (origin) => {
      const closed = {
        allowed: parseAllowedHosts(''),
        own: { ...policy.own, origins: [origin], files: origin },
      }
      for (const path of ['/files/token/final.mp4', '/docs/examples/speech.mp4']) {
        expect(addressFaults({ fileUrl: origin + path }, closed)).toEqual([])
        expect(addressFaults({ webhookUrl: origin + path }, closed)).not.toEqual([])
      }
      for (const path of ['/docs/examples/../api', '/v1/videos', '/docs/examples/a/b.mp4']) {
        const fault = { field: 'fileUrl', message: privateFault }
        expect(addressFaults({ fileUrl: origin + path }, closed)).toEqual([fault])
      }
    },
  )

  it('counts the origin of files as ours, wherever it is', () => {
    const apart = { ...policy, own: { ...policy.own, files: 'https://files.spool.example' } }
    const fault = { field: 'fileUrl', message: ownFault }
    expect(addressFaults({ fileUrl: 'https://files.spool.example/x' }, apart)).toEqual([fault])
    expect(addressFaults({ fileUrl: 'https://files.spool.example/files/t/x' }, apart)).toEqual([])
    expect(addressFaults({ fileUrl: 'http://127.0.0.1:8787/files/t/x' }, apart)).toEqual([fault])
  })

  it('compares hosts by their letters and their port', () => {
    expect(addressFaults({ fileUrl: 'https://apis.spool.example/v1/videos' }, policy)).toEqual([])
    expect(addressFaults({ fileUrl: 'http://127.0.0.1:8788/v1/videos' }, policy)).toEqual([])
  })

  it('counts loopback as ours only if the service runs there', () => {
    const deployed = {
      allowed: parseAllowedHosts('localhost'),
      own: {
        ...policy.own,
        origins: ['https://api.spool.example'],
        files: 'https://api.spool.example',
      },
    }
    expect(addressFaults({ fileUrl: 'https://localhost/v1/videos' }, deployed)).toEqual([])
  })

  it('requires https for a webhook unless its host is allowed', () => {
    const fault = { field: 'webhookUrl', message: httpsFault }
    expect(addressFaults({ webhookUrl: 'http://example.com/hook' }, policy)).toEqual([fault])
    expect(addressFaults({ webhookUrl: 'https://example.com/hook' }, policy)).toEqual([])
    expect(addressFaults({ webhookUrl: 'http://localhost/hook' }, policy)).toEqual([])
    expect(addressFaults({ webhookUrl: 'http://10.0.0.1/hook' }, policy)).toEqual([
      { field: 'webhookUrl', message: privateFault },
      fault,
    ])
  })

  it('counts every port of ours as ours, even if the host is allowed by name and port', () => {
    const closed = {
      allowed: parseAllowedHosts('localhost,127.0.0.1:41001,192.168.1.5:41001,studio.lan'),
      own: {
        origins: ['https://api.spool.example'],
        files: 'https://api.spool.example',
        ports: parseOwnPorts('8787, 41001'),
        hosts: parseOwnHosts('192.168.1.5,fe80::1,studio.lan'),
      },
    }
    const fault = (field: string) => [{ field, message: ownFault }]
    for (const host of ['localhost', '127.0.0.1', '192.168.1.5', 'studio.lan']) {
      const url = `http://${host}:41001/jobs`
      expect(addressFaults({ fileUrl: url }, closed)).toEqual(fault('fileUrl'))
      expect(addressFaults({ webhookUrl: url }, closed)).toEqual(fault('webhookUrl'))
      expect(addressFaults({ elements: [{ url }] }, closed)).toEqual(fault('elements[0].url'))
    }
    expect(addressFaults({ fileUrl: 'http://localhost:8787/files/t/x' }, closed)).toEqual(
      fault('fileUrl'),
    )
    expect(addressFaults({ fileUrl: 'http://studio.lan:9000/a.mp4' }, closed)).toEqual([])
  })
})

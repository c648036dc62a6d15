import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signMessage, verifyMessage } from '../../worker/contract/job/signed-message.ts'
import { deriveKey, macOf, verifyMac } from '../../worker/contract/keyed-hash.ts'
import { seeded } from '../support/node/seeded.ts'

const secret = 'a secret'
const body = '{"type":"progress"}'
const now = 1_795_231_260_000
const minutes = 60_000

it('macOf agrees with the published vector of GitHub webhooks', async () => {
  expect(await macOf("It's a Secret to Everybody", 'Hello, World!')).toBe(
    '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  )
})

it('signMessage writes the time in whole seconds and the mac in hex', async () => {
  const header = await signMessage(secret, body, now + 999)
  expect(header).toBe(`t=1795231260,v1=${await macOf(secret, `1795231260.${body}`)}`)
})

describe('verifyMessage', () => {
  it('accepts any message that was signed with the same secret', async () => {
    const text = fc.string({ unit: 'binary' })
    await fc.assert(
      fc.asyncProperty(
        text.filter((key) => key !== ''),
        text,
        async (key, message) => {
          const header = await signMessage(key, message, now)
          expect(await verifyMessage(key, message, header, now)).toBe(true)
          expect(await verifyMessage(`${key}x`, message, header, now)).toBe(false)
          expect(await verifyMessage(key, `${message}x`, header, now)).toBe(false)
        },
      ),
      seeded(50),
    )
  })

  it('accepts a message up to ten minutes old or early, and no further', async () => {
    const header = await signMessage(secret, body, now)
    expect(await verifyMessage(secret, body, header, now + 10 * minutes)).toBe(true)
    expect(await verifyMessage(secret, body, header, now - 10 * minutes)).toBe(true)
    expect(await verifyMessage(secret, body, header, now + 10 * minutes + 1)).toBe(false)
    expect(await verifyMessage(secret, body, header, now - 10 * minutes - 1)).toBe(false)
  })

  it('refuses every header with one character changed', async () => {
    const header = await signMessage(secret, body, now)
    const results = Array.from(header, (character, i) =>
      verifyMessage(
        secret,
        body,
        header.slice(0, i) + (character === '1' ? '2' : '1') + header.slice(i + 1),
        now,
      ),
    )
    expect((await Promise.all(results)).filter(Boolean)).toEqual([])
  })

  it('refuses a header that is not a signature', async () => {
    const header = await signMessage(secret, body, now)
    const headers = [
      ...[
        null,
        undefined,
        '',
        'hello',
        't=,v1=',
        't=1795231260',
        't=1795231260,v1=',
        `${header}00`,
      ],
      ...[` ${header}`, `${header}\n`, header.toUpperCase(), header.replace('v1', 'v2')],
      ...[
        header.replace(/t=\d+/, 't=hello'),
        header.slice(0, -1),
        `t=1795231260,v1=${'0'.repeat(64)}`,
      ],
    ]
    const results = headers.map((text) => verifyMessage(secret, body, text, now))
    expect((await Promise.all(results)).filter(Boolean)).toEqual([])
  })
})

it('verifyMac accepts the mac of the same text only', async () => {
  const mac = await macOf(secret, 'token')
  expect(await verifyMac(secret, 'token', mac)).toBe(true)
  expect(await verifyMac(secret, 'token2', mac)).toBe(false)
  expect(await verifyMac(secret, 'token', mac.toUpperCase())).toBe(false)
  expect(await verifyMac(secret, 'token', mac.slice(0, 62))).toBe(false)
  expect(await verifyMac(secret, 'token', '')).toBe(false)
})

describe('deriveKey', () => {
  it('gives each purpose its own key, the same each time', async () => {
    const keys = await Promise.all(
      ['reports', 'files', 'reports'].map((use) => deriveKey(secret, use)),
    )
    expect(keys[0]).toBe(keys[2])
    expect(keys[0]).not.toBe(keys[1])
    expect(await deriveKey('another secret', 'reports')).not.toBe(keys[0])
  })

  it('makes signatures that are good for one purpose only', async () => {
    const header = await signMessage(await deriveKey(secret, 'reports'), body, now)
    expect(await verifyMessage(await deriveKey(secret, 'files'), body, header, now)).toBe(false)
    expect(await verifyMessage(secret, body, header, now)).toBe(false)
  })
})

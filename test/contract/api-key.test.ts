import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hashApiKey,
  keyChecksum,
  keyHint,
  looksLikeApiKey,
  mintApiKey,
} from '../../worker/contract/people/api-key.ts'
import { seeded } from '../support/node/seeded.ts'

describe('keyChecksum', () => {
  it('agrees with the published example of GitHub', () => {
    expect(keyChecksum('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ')).toBe('0mLq17')
  })

  it('agrees with a known key of 26 characters', () => {
    expect(keyChecksum('zQWBuTSOoRi4A9spHcVY5ncnsD')).toBe('3k1Ujb')
  })

  it('is six characters for every body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (body) => {
        expect(keyChecksum(body)).toMatch(/^[0-9A-Za-z]{6}$/)
      }),
      seeded(),
    )
  })
})

describe('mintApiKey', () => {
  it('makes the prefix, 26 random characters and their checksum', () => {
    const key = mintApiKey((bytes) => bytes.fill(10))
    expect(key).toBe(`spool_${'A'.repeat(26)}${keyChecksum('A'.repeat(26))}`)
  })

  it('makes a key that looks like one, and another one each time', () => {
    const keys = Array.from({ length: 100 }, () => mintApiKey())
    expect(keys.every(looksLikeApiKey)).toBe(true)
    expect(new Set(keys).size).toBe(100)
  })
})

describe('looksLikeApiKey', () => {
  const key = mintApiKey((bytes) => bytes.fill(7))

  it('refuses every key with one character changed', () => {
    const other = (character: string) => (character === 'x' ? 'y' : 'x')
    const typos = Array.from(
      key,
      (character, i) => key.slice(0, i) + other(character) + key.slice(i + 1),
    )
    expect(typos.filter(looksLikeApiKey)).toEqual([])
  })

  it('refuses two neighbours swapped', () => {
    const random = mintApiKey((bytes) => bytes.map((_, i) => i * 3))
    const swapped = random.slice(0, 10) + random.charAt(11) + random.charAt(10) + random.slice(12)
    expect(looksLikeApiKey(random)).toBe(true)
    expect(looksLikeApiKey(swapped)).toBe(false)
  })

  it.each([
    ...['', 'spool_', key.slice(1), `${key}0`, `${key}\n`, ` ${key}`, key.toUpperCase()],
    ...[key.replace('spool_', 'other_'), 'spool_' + 'é'.repeat(32), `spool_${'-'.repeat(32)}`],
  ])('refuses %j', (text) => {
    expect(looksLikeApiKey(text)).toBe(false)
  })
})

it('keyHint shows the prefix and the last four characters only', () => {
  const key = mintApiKey()
  expect(keyHint(key)).toBe(`spool_…${key.slice(-4)}`)
})

it('hashApiKey is SHA-256 in hex', async () => {
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(await hashApiKey('abc')).toBe(known)
})
